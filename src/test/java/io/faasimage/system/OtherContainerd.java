package io.faasimage.system;

import io.faasimage.api.control.ControlServer;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A containerd with CRI beside the cluster's own, on a snapshotter socket of its own. */
final class OtherContainerd implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path dir;
    private final Clients clients;
    private final Optional<Path> bin;
    private final Daemon daemon;

    private OtherContainerd(Path dir, Clients clients, Optional<Path> bin, Daemon daemon) {
        this.dir = dir;
        this.clients = clients;
        this.bin = bin;
        this.daemon = daemon;
    }

    /** The way in which containerd 2 pulls for CRI; containerd 1 always pulls by itself. */
    enum Pull {
        /** By the transfer service, the default. */
        TRANSFER("using transfer service"),
        /** By CRI itself, as containerd 1 does. */
        CLIENT("using client.Pull()");

        /** containerd's log line of such a pull. */
        final String logged;

        Pull(String logged) {
            this.logged = logged;
        }
    }

    /**
     * The way in which clients' pulls reach the snapshotter.
     *
     * @param pull how CRI pulls
     * @param annotations whether they name the image and its layers besides the chain ID
     * @param pause image of CRI's sandboxes
     */
    record Setup(Pull pull, boolean annotations, String pause) {}

    /** The distribution's containerd, of version 1. */
    static OtherContainerd ofVersion1(Cluster cluster, Clients clients, int number, Setup setup)
            throws IOException, InterruptedException {
        return start(cluster, clients, number, Optional.empty(), """
                version = 2
                root = "%1$s/c"
                state = "%1$s/s"
                [grpc]
                  address = "%1$s/c.sock"
                [proxy_plugins.faasimage]
                  type = "snapshot"
                  address = "%2$s"
                [plugins."io.containerd.internal.v1.opt"]
                  path = "%1$s/opt"
                [plugins."io.containerd.grpc.v1.cri"]
                  sandbox_image = "%3$s"
                  restrict_oom_score_adj = true
                [plugins."io.containerd.grpc.v1.cri".containerd]
                  snapshotter = "faasimage"
                  disable_snapshot_annotations = %4$s
                """, setup);
    }

    /** containerd 2. The transfer service has its annotations from the plugin, client.Pull from CRI. */
    static OtherContainerd ofVersion2(Cluster cluster, Clients clients, int number, Setup setup)
            throws IOException, InterruptedException {
        boolean transfer = setup.pull() == Pull.TRANSFER;
        String exports = """
                [proxy_plugins.faasimage.exports]
                  enable_remote_snapshot_annotations = "true"
                """;
        return start(
                cluster,
                clients,
                number,
                Optional.of(clients.containerd()),
                """
                version = 3
                root = "%1$s/c"
                state = "%1$s/s"
                [debug]
                  level = "debug"
                [grpc]
                  address = "%1$s/c.sock"
                [proxy_plugins.faasimage]
                  type = "snapshot"
                  address = "%2$s"
                """ + (transfer && setup.annotations() ? exports : "") + """
                [plugins.'io.containerd.internal.v1.opt']
                  path = "%1$s/opt"
                [plugins.'io.containerd.nri.v1.nri']
                  disable = true
                [[plugins.'io.containerd.transfer.v1.local'.unpack_config]]
                  platform = "linux/amd64"
                  snapshotter = "faasimage"
                  differ = "walking"
                [plugins.'io.containerd.cri.v1.images']
                  snapshotter = "faasimage"
                  disable_snapshot_annotations = %5$s
                  use_local_image_pull = %6$s
                [plugins.'io.containerd.cri.v1.runtime']
                  restrict_oom_score_adj = true
                [plugins.'io.containerd.cri.v1.images'.pinned_images]
                  sandbox = "%3$s"
                """,
                setup);
    }

    private static OtherContainerd start(
            Cluster cluster, Clients clients, int number, Optional<Path> bin, String config, Setup setup)
            throws IOException, InterruptedException {
        Path dir = Files.createDirectories(cluster.dir.resolve("x" + number));
        Path snapshotter = cluster.run.resolve("snapshotter-" + number + ".sock");
        Path file = Files.writeString(
                dir.resolve("c.toml"),
                config.formatted(
                        dir,
                        snapshotter,
                        setup.pause(),
                        !setup.annotations(),
                        setup.pull() == Pull.TRANSFER || !setup.annotations(),
                        setup.pull() == Pull.CLIENT));
        String program = bin.map(b -> b.resolve("containerd").toString()).orElse("containerd");
        Daemon daemon = Daemon.start(
                        "containerd " + number,
                        cluster.dir.resolve("x" + number + ".log"),
                        Map.of("PATH", path(bin)),
                        List.of(program, "-c", file.toString()))
                .await(START, () -> ControlServer.isServed(dir.resolve("c.sock")));
        OtherContainerd containerd = new OtherContainerd(dir, clients, bin, daemon);
        Wait.until(
                START,
                "CRI of containerd " + number,
                () -> containerd.cri("images").exit() == 0);
        return containerd;
    }

    private static String path(Optional<Path> bin) {
        String own = System.getenv().getOrDefault("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        return bin.map(b -> b + ":" + own).orElse(own);
    }

    private Path socket() {
        return dir.resolve("c.sock");
    }

    /** Runs this version's {@code ctr}. */
    Shell.Result ctr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(bin.map(b -> b.resolve("ctr").toString()).orElse("ctr"));
        command.addAll(List.of("--address", socket().toString()));
        command.addAll(List.of(arguments));
        return Shell.run(Map.of(), command);
    }

    String log() throws IOException {
        return daemon.log();
    }

    /** Calls CRI. */
    Shell.Result cri(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(clients.cri().toString(), socket().toString()));
        command.addAll(List.of(arguments));
        return Shell.run(Map.of(), command);
    }

    /** Runs {@code nerdctl}. */
    Shell.Result nerdctl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                clients.nerdctl().toString(),
                "--address",
                socket().toString(),
                "--namespace",
                "nerdctl",
                "--snapshotter",
                "faasimage",
                "--data-root",
                dir.resolve("nerdctl").toString(),
                "--cgroup-manager",
                "cgroupfs",
                "--insecure-registry"));
        command.addAll(List.of(arguments));
        return Shell.run(Map.of("NERDCTL_TOML", dir.resolve("none.toml").toString()), command);
    }

    /** Digests in the content store: manifest and config, and each layer that was downloaded. */
    List<String> content(String namespace) throws IOException, InterruptedException {
        return ctr("--namespace", namespace, "content", "ls", "-q").ok().lines().toList();
    }

    @Override
    public void close() throws IOException {
        daemon.close();
    }
}
