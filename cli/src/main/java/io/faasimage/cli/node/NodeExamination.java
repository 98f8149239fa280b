package io.faasimage.cli.node;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.containerd.Ctr;
import io.faasimage.cli.terminal.Output;
import io.faasimage.linux.FileSystems;
import io.faasimage.linux.KernelVersion;
import io.faasimage.linux.MountProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The examination of everything that a node needs: kernel, libraries, programs, permissions, and the processes around
 * it.
 */
final class NodeExamination {
    private static final long FREE_BYTES_WANTED = 5_000_000_000L;
    private static final List<String> PROGRAM_DIRECTORIES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    private static final Pattern SNAPSHOTTER = Pattern.compile("^io\\.containerd\\.snapshotter\\.v1\\s+faasimage\\s");

    /** Things that the node can do without. */
    private static final Set<MountProbe.Feature> NICE_TO_HAVE = EnumSet.of(
            MountProbe.Feature.EROFS_FILE, MountProbe.Feature.EROFS_LOOP, MountProbe.Feature.OVERLAY_DATA_ONLY);

    private final Path root;
    private final Path containerd;
    private final Path containerdConfig;
    private final Connections connections;
    private final List<Diagnosis> found = new ArrayList<>();

    NodeExamination(Path root, Path containerd, Path containerdConfig, Connections connections) {
        this.root = root;
        this.containerd = containerd;
        this.containerdConfig = containerdConfig;
        this.connections = connections;
    }

    List<Diagnosis> run() throws IOException {
        boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        found.add(
                isRoot
                        ? Diagnosis.ok("permissions", "running as root")
                        : Diagnosis.missing("permissions", "not root", "run it with sudo; mounts need CAP_SYS_ADMIN"));
        kernel();
        if (isRoot) {
            features();
        }
        libfuse();
        program("containerd", "apt-get install containerd");
        program("runc", "apt-get install runc");
        program("ctr", "it comes with containerd; 'faasimage trace' starts containers with it");
        disk();
        containerd();
        processes();
        return List.copyOf(found);
    }

    private void kernel() throws IOException {
        KernelVersion kernel = KernelVersion.running();
        found.add(
                kernel.atLeast(KernelVersion.DATA_ONLY_LAYERS)
                        ? Diagnosis.ok("kernel", "Linux " + kernel)
                        : Diagnosis.advice(
                                "kernel",
                                "Linux " + kernel + ": the gate serves images itself, which is slower",
                                "upgrade to Linux 6.5 or later"));
    }

    /** The first existing directory on the way up from the state directory. */
    private Path existingRoot() {
        Path directory = root.toAbsolutePath();
        for (int depth = directory.getNameCount(); depth > 0; depth--) {
            Path ancestor = Path.of("/").resolve(directory.subpath(0, depth));
            if (Files.isDirectory(ancestor)) {
                return ancestor;
            }
        }
        return Path.of("/");
    }

    private void features() {
        try {
            for (MountProbe.Check check : MountProbe.run(existingRoot()).checks()) {
                String subject = check.feature()
                        .name()
                        .toLowerCase(java.util.Locale.ROOT)
                        .replace('_', '-');
                if (check.works()) {
                    found.add(Diagnosis.ok(subject, "tried, works"));
                } else if (NICE_TO_HAVE.contains(check.feature())) {
                    found.add(Diagnosis.advice(subject, check.detail(), check.remedy()));
                } else {
                    found.add(Diagnosis.missing(subject, check.detail(), check.remedy()));
                }
            }
        } catch (IOException e) {
            found.add(Diagnosis.missing("mounts", "could not be checked: " + e.getMessage(), "give another --root"));
        }
    }

    /**
     * Looks where the dynamic linker does on Debian and Ubuntu. libfuse serves whole root file systems on kernels that
     * cannot mount them; on others nothing loads it.
     */
    private void libfuse() throws IOException {
        if (KernelVersion.running().atLeast(KernelVersion.DATA_ONLY_LAYERS)) {
            return;
        }
        List<Path> libraries = new ArrayList<>();
        for (Path directory : List.of(Path.of("/usr/lib"), Path.of("/lib"), Path.of("/usr/local/lib"))) {
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.find(directory, 2, (p, a) -> p.endsWith("libfuse.so.2"))) {
                    files.forEach(libraries::add);
                }
            }
        }
        found.add(
                libraries.isEmpty()
                        ? Diagnosis.missing(
                                "libfuse2",
                                "libfuse.so.2 is not installed, and this kernel needs it",
                                "apt-get install libfuse2 (libfuse2t64 on newer systems)")
                        : Diagnosis.ok("libfuse2", libraries.getFirst().toString()));
    }

    private void program(String name, String remedy) {
        Stream<String> path = Optional.ofNullable(System.getenv("PATH")).stream()
                .flatMap(p -> Stream.of(p.split(":", -1)))
                .filter(d -> !d.isEmpty());
        Optional<Path> program = Stream.concat(path, PROGRAM_DIRECTORIES.stream())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        found.add(program.map(p -> Diagnosis.ok(name, p.toString()))
                .orElseGet(() -> Diagnosis.missing(name, "not found", remedy)));
    }

    private void disk() {
        try {
            FileSystems.Space space = FileSystems.space(existingRoot());
            String finding = Output.bytes(space.availableBytes()) + " free for " + root;
            if (space.type() == FileSystems.Space.OVERLAY) {
                found.add(Diagnosis.missing("disk", root + " is on an overlay", "use --root on ext4, xfs or btrfs"));
            } else if (space.availableBytes() < FREE_BYTES_WANTED) {
                found.add(Diagnosis.advice(
                        "disk", finding, "5 GB or more are recommended, so that functions can share what they read"));
            } else {
                found.add(Diagnosis.ok("disk", finding));
            }
        } catch (IOException e) {
            found.add(Diagnosis.missing("disk", "cannot read " + root + ": " + e.getMessage(), "give another --root"));
        }
    }

    /** Queries the containerd that answers at the socket; its configuration file is read only where none does. */
    private void containerd() {
        if (ControlServer.isServed(containerd)) {
            found.add(Diagnosis.ok("containerd socket", containerd.toString()));
            snapshotter();
        } else {
            found.add(Diagnosis.advice(
                    "containerd socket", "no answer at " + containerd, "start containerd, or give --containerd"));
            configuration();
        }
    }

    private void snapshotter() {
        try {
            boolean loaded = new Ctr(containerd, "default")
                    .run("plugins", "ls")
                    .lines()
                    .anyMatch(plugin -> SNAPSHOTTER.matcher(plugin).find());
            found.add(
                    loaded
                            ? Diagnosis.ok("snapshotter", "containerd has loaded the proxy plugin faasimage")
                            : Diagnosis.advice(
                                    "snapshotter",
                                    "this containerd has not loaded the proxy plugin faasimage",
                                    "faasimage node install, if its configuration lacks it; then restart containerd"));
        } catch (IOException e) {
            found.add(Diagnosis.advice(
                    "snapshotter",
                    "containerd's plugins could not be listed: " + e.getMessage(),
                    "see that ctr is installed and that " + containerd + " is containerd's socket"));
        }
    }

    private void configuration() {
        String remedy = "faasimage node install, then restart containerd";
        try {
            boolean configured = Files.isRegularFile(containerdConfig.resolveSibling("conf.d/faasimage.toml"))
                    || Files.readString(containerdConfig).contains("proxy_plugins.faasimage");
            found.add(
                    configured
                            ? Diagnosis.ok("containerd config", containerdConfig + " has the proxy plugin faasimage")
                            : Diagnosis.advice(
                                    "containerd config",
                                    containerdConfig + " does not name the faasimage snapshotter",
                                    remedy));
        } catch (IOException e) {
            found.add(Diagnosis.advice("containerd config", containerdConfig + " cannot be read", remedy));
        }
    }

    private void processes() throws IOException {
        try {
            String mounts = connections.node().call(NodeOperations.STATUS).mounts();
            found.add(Diagnosis.ok("node agent", "answers"));
            found.add(Diagnosis.ok("mounts in use", mounts == null ? "" : mounts));
        } catch (IOException e) {
            found.add(Diagnosis.advice(
                    "node agent", e.getMessage() == null ? e.toString() : e.getMessage(), "start faasimage-node"));
        }
        try (ServiceClient registry = connections.registry()) {
            found.add(service(registry));
        }
    }

    private static Diagnosis service(ServiceClient registry) {
        if (!registry.serving()) {
            return Diagnosis.advice(
                    "registry-service",
                    "no answer from " + registry.base(),
                    "start faasimage-registry, or set FAASIMAGE_URL");
        }
        return registry.healthy()
                ? Diagnosis.ok("registry-service", registry.base().toString())
                : Diagnosis.advice(
                        "registry-service",
                        registry.base() + " answers, but something that it needs does not",
                        "see " + registry.base() + "/v1/health; meanwhile nodes get what is in its cache");
    }
}
