package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.faasimage.api.control.ControlServer;
import io.faasimage.api.rest.Json;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code faasimage node tune} with containerd 1.6 and containerd 2, which start with what it writes. */
final class NodeTuneIT {
    private static final String LAUNCHER = "../../docker/bin/faasimage";
    /** crun refuses a hierarchy of cgroup v2 beside those of version 1. */
    private static final List<String> WITHOUT_HYBRID_CGROUPS = List.of(
            "unshare",
            "--mount",
            "sh",
            "-c",
            "if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; exec \"$@\"",
            "sh");

    /** An ELF program of 32-bit x86 that is only {@code exit(0)}. */
    private static final byte[] EXIT_32_BIT = HexFormat.of()
            .parseHex("7f454c4601010100000000000000000002000300010000005480040834000000"
                    + "0000000000000000340020000100000000000000" // one program header, which follows
                    + "01000000000000000080040800800408" + "5d0000005d0000000500000000100000"
                    + "b80100000031dbcd80");

    @TempDir
    private Path dir;

    private Path config = Path.of("/");
    private Path dropIns = Path.of("/");

    @BeforeEach
    void makeFolder() throws IOException {
        dropIns = Files.createDirectories(dir.resolve("etc/conf.d"));
        config = dropIns.resolveSibling("config.toml");
    }

    private String configure(int version, String more) throws IOException {
        String text = """
                version = %2$d
                root = "%1$s/c"
                state = "%1$s/s"
                imports = ["%1$s/etc/conf.d/*.toml"]
                [grpc]
                  address = "%1$s/c.sock"
                [plugins."io.containerd.internal.v1.opt"]
                  path = "%1$s/opt"
                """.formatted(dir, version) + more;
        Files.writeString(config, text);
        return text;
    }

    private List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(LAUNCHER, "node", "tune"));
        command.addAll(List.of("--root", dir.resolve("state").toString()));
        command.addAll(List.of("--containerd-config", config.toString(), "--containerd-program", program));
        command.addAll(List.of(arguments));
        return command;
    }

    private Shell.Result tune(String program, String... arguments) throws IOException, InterruptedException {
        return Shell.run(Map.of(), command(program, arguments));
    }

    private static String containerd2() throws IOException, InterruptedException {
        return Clients.build(Clients.CONTAINERD)
                .containerd()
                .resolve("containerd")
                .toString();
    }

    private Daemon start(List<String> command) throws IOException, InterruptedException {
        return Daemon.start("containerd", dir.resolve("containerd.log"), Map.of(), command)
                .await(Duration.ofSeconds(60), () -> ControlServer.isServed(dir.resolve("c.sock")));
    }

    private String ctr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("ctr", "--address", dir.resolve("c.sock").toString()));
        command.addAll(List.of(arguments));
        return Shell.run(Map.of(), command).ok();
    }

    private static void refused(Shell.Result result, String reason) {
        assertThat(result.exit()).as(result.out() + result.err()).isEqualTo(1);
        assertThat(result.out() + result.err()).contains(reason);
    }

    @Test
    void containerd2WritesItsDatabaseUnsyncedUntilThatIsUndone() throws IOException, InterruptedException {
        String program = containerd2();
        String original = configure(3, """
                [plugins.'io.containerd.metadata.v1.bolt']
                  content_sharing_policy = "isolated"
                """);
        Path dropIn = dropIns.resolve("faasimage-no-sync.toml");

        assertThat(state(program, "no-sync")).isEqualTo("off");
        assertThat(tune(program, "--enable", "no-sync").ok()).contains("wrote " + dropIn, "restart containerd");
        assertThat(state(program, "no-sync")).isEqualTo("on");
        assertThat(tune(program, "--enable", "no-sync").ok()).contains("nothing to do");
        try (Daemon containerd = start(List.of(program, "--config", config.toString()))) {
            assertThat(containerd.log()).contains("async mode for boltdb");
        }
        assertThat(tune(program, "--disable", "all").ok()).contains("removed " + dropIn);
        assertThat(tune(program, "--disable", "no-sync").ok()).contains("nothing to do");
        assertThat(config).hasContent(original);
        assertThat(dropIns).isEmptyDirectory();
        assertThat(dir.resolve("state/tune.json")).doesNotExist();
    }

    private String state(String program, String lever) throws IOException, InterruptedException {
        return Json.mapper()
                .readTree(tune(program, "--json").ok())
                .valueStream()
                .filter(row -> row.path("name").asString("").equals(lever))
                .findFirst()
                .orElseThrow()
                .path("state")
                .asString("");
    }

    @Test
    void theUsersOwnFilesStayAsTheyAre() throws IOException, InterruptedException {
        String program = containerd2();
        String original = configure(3, "");
        Path dropIn = dropIns.resolve("faasimage-no-sync.toml");

        Files.writeString(dropIn, "# of somebody else\n");
        refused(tune(program, "--enable", "no-sync"), "was not written by this command");
        assertThat(dropIn).hasContent("# of somebody else\n");
        Files.delete(dropIn);

        tune(program, "--enable", "no-sync").ok();
        String edited = Files.readString(dropIn) + "# edited\n";
        Files.writeString(dropIn, edited);
        refused(tune(program, "--disable", "no-sync"), "was changed since");
        assertThat(dropIn).hasContent(edited);
        Files.delete(dropIn);
        tune(program, "--disable", "all").ok();

        String without = original.replaceFirst("imports = .*\n", "imports = []\n");
        Files.writeString(config, without);
        refused(tune(program, "--enable", "no-sync"), "does not import " + dropIn);
        Files.writeString(config, without + "[plugins.'io.containerd.metadata.v1.bolt']\n  no_sync = true\n");
        refused(tune(program, "--disable", "no-sync"), "was not turned on by this command");
        assertThat(dropIns).isEmptyDirectory();
    }

    @Test
    void aKillAtAnyMomentLeavesWhatCanBeUndone() throws IOException, InterruptedException {
        String program = containerd2();
        configure(3, "");
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 4; i++) {
            Process process = new ProcessBuilder(command(program, "--enable", "no-sync"))
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("killed").toFile())
                    .start();
            process.waitFor(400 + random.nextInt(2_000), TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
            tune(program, "--disable", "all").ok();
            try (Stream<Path> left = Files.list(dropIns)) {
                assertThat(left.filter(file -> file.toString().endsWith(".toml")))
                        .as("seed " + seed)
                        .isEmpty();
            }
        }
        tune(program, "--enable", "no-sync").ok();
        tune(program, "--disable", "no-sync").ok();
        assertThat(dropIns).isEmptyDirectory();
    }

    @Test
    void containerd1RunsContainersWithCrun() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/crun")), "crun is not installed: apt-get install crun");
        String cri = "[plugins.\"io.containerd.grpc.v1.cri\"]\n  sandbox_image = \"example.org/pause:1\"\n";
        configure(2, cri);
        refused(crun("--enable"), "would change other parts of containerd's configuration");
        assertThat(dropIns).isEmptyDirectory();

        configure(2, "");
        assertThat(crun("--enable").ok()).contains("handler: crun");
        assertThat(Shell.run("containerd", "--config", config.toString(), "config", "dump")
                        .ok())
                .contains("containerd.runtimes.runc]", "containerd.runtimes.crun]");
        Matcher binary = Pattern.compile("BinaryName = '(.*)'")
                .matcher(Files.readString(dropIns.resolve("faasimage-crun.toml")));
        assertThat(binary.find()).isTrue();

        List<String> containerd = new ArrayList<>(WITHOUT_HYBRID_CGROUPS);
        containerd.addAll(List.of("containerd", "--config", config.toString()));
        try (Daemon _ = start(containerd)) {
            assertThat(ctr("plugins", "ls").lines().filter(line -> line.contains(" cri ")))
                    .singleElement()
                    .asString()
                    .contains(" ok");
            String root = rootFileSystem("crun").toString();
            assertThat(ctr(
                            "run",
                            "--rm",
                            "--runc-binary",
                            binary.group(1),
                            "--rootfs",
                            root,
                            "c1",
                            "/bin/echo",
                            "it ran"))
                    .isEqualTo("it ran\n");
        }
        assertThat(crun("--disable").ok()).contains("removed");
        assertThat(dropIns).isEmptyDirectory();
    }

    private Shell.Result crun(String change) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(WITHOUT_HYBRID_CGROUPS);
        command.addAll(command("containerd", change, "crun"));
        return Shell.run(Map.of(), command);
    }

    private Path rootFileSystem(String name) throws IOException {
        Path bin = Files.createDirectories(dir.resolve(name).resolve("bin"));
        Files.copy(Path.of("/bin/busybox"), bin.resolve("busybox"));
        for (String applet : List.of("echo", "sh", "grep", "cat", "unshare", "mount", "ls", "chroot", "date")) {
            Files.createSymbolicLink(bin.resolve(applet), Path.of("busybox"));
        }
        Path small = bin.resolve("32bit");
        Files.write(small, EXIT_32_BIT);
        assertThat(small.toFile().setExecutable(true)).isTrue();
        return dir.resolve(name);
    }

    /** What the two filters let through is the same for the machine's own programs; 32-bit ones lose everything. */
    @Test
    void aNativeSeccompProfileIsolatesNoLess() throws IOException, InterruptedException {
        configure(2, "");
        Path root = rootFileSystem("probe");
        Path whole = dir.resolve("whole.json");
        try (Daemon _ = start(List.of("containerd", "--config", config.toString()))) {
            ctr("containers", "create", "--seccomp", "--rootfs", root.toString(), "probe", "/bin/sh");
            Files.writeString(whole, ctr("containers", "info", "probe"));
        }
        Path own = dir.resolve("native.json");
        Files.writeString(
                own,
                Shell.run(LAUNCHER, "node", "tune", "--native-seccomp", whole.toString())
                        .ok());
        JsonNode spec = Json.mapper().readTree(Files.readString(whole)).path("Spec");
        JsonNode profile = spec.path("linux").path("seccomp");
        JsonNode small = Json.mapper().readTree(Files.readString(own));
        String script = "grep -E '^(Seccomp|Cap|NoNewPrivs)' /proc/self/status; ls /proc/self/ns;"
                + " unshare -U echo unshared; mount -t tmpfs none /tmp; date -s 0; chroot / echo chroot;"
                + " cat /proc/timer_list; echo x > /proc/sysrq-trigger; echo end";

        Shell.Result before = run(root, spec, profile, "/bin/sh", "-c", script);
        Shell.Result after = run(root, spec, small, "/bin/sh", "-c", script);
        assertThat(before.ok()).contains("Seccomp:\t2", "end").doesNotContain("unshared");
        assertThat(after.ok()).isEqualTo(before.out());
        assertThat(after.err()).isEqualTo(before.err());
        assertThat(run(root, spec, profile, "/bin/32bit").exit()).isZero();
        assertThat(run(root, spec, small, "/bin/32bit").exit()).isNotZero();
    }

    /** Runs a container of {@code spec} with another profile and other arguments. */
    private Shell.Result run(Path root, JsonNode spec, JsonNode seccomp, String... arguments)
            throws IOException, InterruptedException {
        ObjectNode copy = (ObjectNode) spec.deepCopy();
        ((ObjectNode) copy.path("linux")).set("seccomp", seccomp);
        ((ObjectNode) copy.path("linux")).put("cgroupsPath", "/faasimage-tune-it");
        ((ObjectNode) copy.path("root")).put("path", root.toString());
        ArrayNode list = ((ObjectNode) copy.path("process")).putArray("args");
        List.of(arguments).forEach(list::add);
        Path bundle = Files.createDirectories(dir.resolve("bundle"));
        Files.writeString(bundle.resolve("config.json"), copy.toString());
        return Shell.run(
                "runc", "--root", dir.resolve("runc").toString(), "run", "--bundle", bundle.toString(), "tune-it");
    }
}
