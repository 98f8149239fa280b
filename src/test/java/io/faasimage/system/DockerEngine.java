package io.faasimage.system;

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
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A Docker Engine on a cluster's containerd with faasimage as its snapshotter, on a bridge and in control groups of its
 * own, and a docker command. Its files are in the cluster's directory.
 */
final class DockerEngine implements AutoCloseable {
    /** The engine's namespace of containerd. */
    static final String NAMESPACE = "moby";

    private static final Duration START = Duration.ofSeconds(60);
    /** It ends its containers first. */
    private static final Duration END = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final Path dir;
    private final String name = "fi" + Long.toString(System.nanoTime() & 0xffffff, 36);
    private final Daemon daemon;

    private DockerEngine(Cluster cluster, Clients clients) throws IOException, InterruptedException {
        this.cluster = cluster;
        this.dir = Files.createDirectories(cluster.dir.resolve("k"));
        String gateway = "10." + ThreadLocalRandom.current().nextInt(210, 250) + ".0.1/20";
        Shell.run("sh", "-ec", """
                ip link add %1$s type bridge
                ip address add %2$s dev %1$s
                ip link set %1$s up
                """.formatted(name, gateway)).ok();
        // Rules of a packet filter would stay behind on this machine.
        Path config = Files.writeString(
                dir.resolve("daemon.json"), """
                {
                  "features": {"containerd-snapshotter": true},
                  "storage-driver": "faasimage",
                  "containerd": "%2$s",
                  "hosts": ["unix://%1$s/docker.sock"],
                  "data-root": "%1$s/data",
                  "exec-root": "%1$s/exec",
                  "pidfile": "%1$s/docker.pid",
                  "runtimes": {"ours": {"path": "%3$s"}},
                  "default-runtime": "ours",
                  "cgroup-parent": "/%4$s",
                  "bridge": "%4$s",
                  "iptables": false,
                  "ip6tables": false,
                  "ip-forward": false,
                  "ip-masq": false,
                  "userland-proxy": false
                }
                """.formatted(dir, cluster.containerdSocket(), clients.runc(), name));
        this.daemon = Daemon.start(
                "dockerd",
                cluster.dir.resolve("docker.log"),
                Map.of(),
                List.of(clients.dockerd().toString(), "--config-file", config.toString()));
    }

    /** Starts it; without a docker command the test is skipped with the reason. */
    static DockerEngine start(Cluster cluster, Clients clients) throws IOException, InterruptedException {
        if (Shell.run("sh", "-c", "command -v docker").exit() != 0) {
            String reason = "there is no docker command in PATH; ./check fetches Debian's";
            System.out.println("skipped: " + reason);
            Assumptions.abort(reason);
        }
        DockerEngine engine = new DockerEngine(cluster, clients);
        try {
            engine.daemon.await(START, () -> ControlServer.isServed(engine.dir.resolve("docker.sock")));
            return engine;
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            engine.close();
            throw e;
        }
    }

    /** The directory whose files OpenWhisk's invoker reads. */
    Path containers() {
        return dir.resolve("data/containers");
    }

    /** Runs the command. */
    Shell.Result docker(String... arguments) throws IOException, InterruptedException {
        return docker(List.of(arguments));
    }

    Shell.Result docker(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(arguments);
        return Shell.run(
                Map.of(
                        "DOCKER_HOST",
                        "unix://" + dir.resolve("docker.sock"),
                        "DOCKER_CONFIG",
                        dir.resolve("client").toString()),
                command);
    }

    /** IDs of all containers whose name begins with {@code prefix}. */
    List<String> all(String prefix) throws IOException, InterruptedException {
        return docker("ps", "--quiet", "--no-trunc", "--all", "--filter", "name=" + prefix)
                .ok()
                .lines()
                .toList();
    }

    void remove(List<String> ids) throws IOException, InterruptedException {
        if (!ids.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("rm", "-f"));
            command.addAll(ids);
            docker(command).ok();
        }
    }

    /** The remains of containers anywhere: records, tasks, snapshots of theirs, network namespaces, files. */
    List<String> remains() throws IOException, InterruptedException {
        List<String> remains = new ArrayList<>();
        remains.addAll(ctr("containers", "ls", "-q"));
        remains.addAll(ctr("tasks", "ls", "-q"));
        ctr("snapshots", "--snapshotter", "faasimage", "ls").stream()
                .filter(line -> line.contains("Active") || line.contains("-init"))
                .forEach(remains::add);
        for (Path directory : List.of(containers(), dir.resolve("exec/netns"), dir.resolve("data/rootfs/faasimage"))) {
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.list(directory)) {
                    files.map(Path::toString).forEach(remains::add);
                }
            }
        }
        return remains;
    }

    private List<String> ctr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("--namespace", NAMESPACE));
        command.addAll(List.of(arguments));
        return cluster.containers
                .ctr(command.toArray(String[]::new))
                .ok()
                .lines()
                .toList();
    }

    /** Digests in the engine's part of the content store: manifest and config, and each layer that was downloaded. */
    List<String> content() throws IOException, InterruptedException {
        return ctr("content", "ls", "-q");
    }

    /** Ends containers and engine, and removes everything that is not below the cluster's directory. */
    @Override
    public void close() throws IOException {
        try {
            if (ControlServer.isServed(dir.resolve("docker.sock"))) {
                remove(all(""));
            }
            daemon.end(END);
            Shell.run("sh", "-c", """
                    ip link delete %1$s
                    rmdir /sys/fs/cgroup/%1$s /sys/fs/cgroup/*/%1$s
                    """.formatted(name));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
