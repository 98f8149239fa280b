package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.ControlServer;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code faasimage node install} and {@code uninstall} with containerd 1.6 and containerd 2, which start with the
 * result.
 */
final class NodeInstallIT {
    private static final String LAUNCHER = "../../docker/bin/faasimage";

    @TempDir
    private Path dir;

    private Path config = Path.of("/");

    @BeforeEach
    void makeFolder() throws IOException {
        config = Files.createDirectories(dir.resolve("etc")).resolve("config.toml");
    }

    @Test
    void containerd1() throws IOException, InterruptedException {
        String program = "containerd";
        installsAndTakesBack(program, """
                version = 2
                root = "%1$s/c"
                state = "%1$s/s"
                disabled_plugins = ["io.containerd.grpc.v1.cri"]
                [grpc]
                  address = "%1$s/c.sock"
                [plugins."io.containerd.internal.v1.opt"]
                  path = "%1$s/opt"
                [proxy_plugins.other]
                  type = "snapshot"
                  address = "%1$s/other.sock"
                """);
        assertThat(config.resolveSibling("config.toml.before-faasimage")).doesNotExist();
        refusesWhatIsNotOurs(program);
    }

    /** This containerd is built of its sources. */
    @Test
    @Tag("release")
    void containerd2() throws IOException, InterruptedException {
        String program = Clients.build(Clients.CONTAINERD)
                .containerd()
                .resolve("containerd")
                .toString();
        installsAndTakesBack(program, """
                version = 3
                root = "%1$s/c"
                state = "%1$s/s"
                disabled_plugins = ["io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri"]
                [grpc]
                  address = "%1$s/c.sock"
                [plugins.'io.containerd.internal.v1.opt']
                  path = "%1$s/opt"
                [plugins.'io.containerd.transfer.v1.local']
                  max_concurrent_downloads = 7
                """);
        refusesWhatIsNotOurs(program);
    }

    private Shell.Result node(String command, String program, String... more) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                LAUNCHER,
                "node",
                command,
                "--containerd-config",
                config.toString(),
                "--containerd-program",
                program,
                "--snapshotter-socket",
                dir.resolve("f.sock").toString()));
        all.addAll(List.of(more));
        return Shell.run(Map.of(), all);
    }

    private void installsAndTakesBack(String program, String text) throws IOException, InterruptedException {
        String original = text.formatted(dir);
        Files.writeString(config, original);
        Path dropIn = config.resolveSibling("conf.d").resolve("faasimage.toml");

        assertThat(node("install", program, "--dry-run").ok()).contains("would write " + dropIn);
        assertThat(config).hasContent(original);
        assertThat(dropIn).doesNotExist();

        assertThat(node("install", program).ok()).contains("write " + dropIn, "systemctl restart containerd");
        assertThat(node("install", program).ok()).startsWith("nothing to do");
        knowsTheSnapshotter(program);

        assertThat(node("uninstall", program).ok()).contains("remove " + dropIn);
        assertThat(config).hasContent(original);
        try (Stream<Path> files = Files.list(config.getParent())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("config.toml", "conf.d");
        }
        assertThat(node("uninstall", program).ok()).startsWith("nothing to do");
    }

    /** Starts containerd with the changed configuration. */
    private void knowsTheSnapshotter(String program) throws IOException, InterruptedException {
        Path socket = dir.resolve("c.sock");
        try (Daemon containerd = Daemon.start(
                        "containerd",
                        dir.resolve("containerd.log"),
                        Map.of(),
                        List.of(program, "--config", config.toString()))
                .await(Duration.ofSeconds(60), () -> ControlServer.isServed(socket))) {
            assertThat(containerd.pid()).isPositive();
            String plugins = Shell.run("ctr", "--address", socket.toString(), "plugins", "ls")
                    .ok();
            assertThat(plugins.lines().filter(line -> line.contains(".snapshotter.v1") && line.contains("faasimage")))
                    .singleElement()
                    .asString()
                    .contains(" ok");
            assertThat(plugins.lines().filter(line -> line.contains("transfer") && line.contains(" error")))
                    .isEmpty();
        }
    }

    private void refusesWhatIsNotOurs(String program) throws IOException, InterruptedException {
        String plugin = "[proxy_plugins.%s]\n  type = \"snapshot\"\n  address = \"%s\"\n";
        String original = Files.readString(config);

        Files.writeString(config, original + plugin.formatted("faasimage", "/run/other.sock"));
        refused(node("install", program), "has a proxy plugin 'faasimage' at /run/other.sock");

        Files.writeString(config, original + plugin.formatted("mine", dir.resolve("f.sock")));
        refused(node("install", program), "under the name 'mine'");

        Files.writeString(config, original + plugin.formatted("faasimage", dir.resolve("f.sock")));
        assertThat(node("install", program).ok()).startsWith("nothing to do");
        refused(node("uninstall", program), "by hand");

        Files.writeString(config, original + "[[[");
        refused(node("install", program), "config dump failed");

        Files.writeString(config, original);
        Path dropIn = Files.createDirectories(config.resolveSibling("conf.d")).resolve("faasimage.toml");
        Files.writeString(dropIn, "# of somebody else\n");
        refused(node("install", program), "was not written by this command");
        assertThat(config).hasContent(original);
        Files.delete(dropIn);

        node("install", program).ok();
        String installed = Files.readString(config);
        String user = program.equals("containerd")
                ? "[plugins.\"io.containerd.grpc.v1.cri\".containerd]\n  snapshotter = \"faasimage\"\n"
                : "[plugins.'io.containerd.cri.v1.images']\n  snapshotter = \"faasimage\"\n";
        // A plugin that is disabled chooses nothing.
        Files.writeString(config, installed.replaceFirst("disabled_plugins = .*\n", "") + user);
        refused(node("uninstall", program), "is configured to use the snapshotter");
        Files.writeString(config, installed);
        node("uninstall", program).ok();
    }

    private static void refused(Shell.Result result, String reason) {
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err().lines().filter(line -> line.startsWith("error: ")))
                .singleElement()
                .asString()
                .contains(reason);
    }
}
