package io.faasimage.system;

import io.faasimage.api.control.ControlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Assumptions;

/** The daemon of {@code faasimage-docker} on a cluster's containerd, and its command; with a bridge of its own. */
final class DockerCommand implements AutoCloseable {
    static final String NAMESPACE = "openwhisk";

    private static final Duration START = Duration.ofSeconds(30);
    private static final List<Path> PLUGINS = List.of(Path.of("/opt/cni/bin/bridge"), Path.of("/usr/lib/cni/bridge"));

    private final Cluster cluster;
    private final Path bin = Path.of("../../docker/bin").toAbsolutePath().normalize();
    private final String bridge = "fi" + Long.toString(System.nanoTime() & 0xffffff, 36);
    private final String subnet = "10." + ThreadLocalRandom.current().nextInt(210, 250) + ".0.0/20";
    private Daemon daemon;

    /** Starts the daemon; without CNI plugins the test is skipped with the reason. */
    DockerCommand(Cluster cluster) throws IOException, InterruptedException {
        if (PLUGINS.stream().noneMatch(Files::isExecutable)) {
            String reason = "there are no CNI plugins in " + PLUGINS + "; install containernetworking-plugins";
            System.out.println("skipped: " + reason);
            Assumptions.abort(reason);
        }
        this.cluster = cluster;
        this.daemon = startDaemon();
    }

    private Daemon startDaemon() throws IOException, InterruptedException {
        return Daemon.start(
                        "faasimage-docker-daemon",
                        cluster.dir.resolve("docker.log"),
                        Map.of(),
                        List.of(
                                bin.resolve("faasimage-docker-daemon").toString(),
                                "--root",
                                cluster.dir.resolve("k").toString(),
                                "--run",
                                cluster.run.toString(),
                                "--containerd",
                                cluster.containerdSocket().toString(),
                                "--namespace",
                                NAMESPACE,
                                "--bridge",
                                bridge,
                                "--subnet",
                                subnet,
                                // Rules of a packet filter would stay behind on this machine.
                                "--masquerade",
                                "no"))
                .await(START, () -> ControlServer.isServed(socket()));
    }

    Path socket() {
        return cluster.run.resolve("docker.sock");
    }

    /** The directory that OpenWhisk's invoker reads, Docker's {@code containers}. */
    Path containers() {
        return cluster.dir.resolve("k/containers");
    }

    /** As {@code kill -9} does, and a start. */
    void restart() throws IOException, InterruptedException {
        kill();
        daemon = startDaemon();
    }

    void kill() throws InterruptedException {
        daemon.kill();
    }

    /** Runs the command. */
    Shell.Result docker(String... arguments) throws IOException, InterruptedException {
        return docker(List.of(arguments));
    }

    Shell.Result docker(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(bin.resolve("faasimage-docker").toString());
        command.addAll(arguments);
        return Shell.run(Map.of("FAASIMAGE_DOCKER", socket().toString()), command);
    }

    /** As OpenWhisk's invoker starts a container. */
    Shell.Result run(String name, String image, String memory) throws IOException, InterruptedException {
        String line = "run -d --cpu-shares 256 --memory " + memory + " --memory-swap " + memory
                + " --network bridge -e __OW_API_HOST=http://172.17.0.1:3233 --name " + name
                + " --pids-limit 1024 --cap-drop NET_RAW --cap-drop NET_ADMIN --ulimit nofile=1024:1024"
                + " --log-driver json-file " + image;
        return docker(line.split(" "));
    }

    String address(String id) throws IOException, InterruptedException {
        return docker("inspect", "--format", "{{.NetworkSettings.Networks.bridge.IPAddress}}", id)
                .ok()
                .strip();
    }

    /** IDs of all containers whose name begins with {@code prefix}. */
    List<String> all(String prefix) throws IOException, InterruptedException {
        return docker("ps", "--quiet", "--no-trunc", "--all", "--filter", "name=" + prefix)
                .ok()
                .lines()
                .toList();
    }

    /**
     * What is left of containers anywhere: records, tasks, snapshots on top of images, network namespaces, addresses,
     * files.
     */
    List<String> remains() throws IOException, InterruptedException {
        List<String> remains = new ArrayList<>();
        remains.addAll(ctr("containers", "ls", "-q"));
        remains.addAll(ctr("tasks", "ls", "-q"));
        ctr("snapshots", "--snapshotter", "faasimage", "ls").stream()
                .filter(line -> line.contains("Active"))
                .forEach(remains::add);
        Shell.run("ip", "netns", "list")
                .out()
                .lines()
                .filter(line -> line.startsWith("faasimage-"))
                .forEach(remains::add);
        for (Path directory : List.of(
                containers(), cluster.run.resolve("docker"), cluster.run.resolve("docker-networks/faasimage"))) {
            if (Files.isDirectory(directory)) {
                try (var files = Files.list(directory)) {
                    files.map(Path::toString)
                            .filter(file -> !file.endsWith("/lock") && !file.contains("last_reserved_ip"))
                            .forEach(remains::add);
                }
            }
        }
        return remains;
    }

    private List<String> ctr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("--namespace", NAMESPACE));
        command.addAll(List.of(arguments));
        return cluster.ctr(command.toArray(String[]::new)).ok().lines().toList();
    }

    List<String> content() throws IOException, InterruptedException {
        return ctr("content", "ls", "-q");
    }

    /** Ends the daemon after its containers, which would outlive it. */
    @Override
    public void close() throws IOException {
        try {
            if (!ControlServer.isServed(socket())) {
                daemon = startDaemon();
            }
            for (String id : all("")) {
                docker("rm", "-f", id);
            }
            daemon.close();
            Shell.run("ip", "link", "delete", bridge);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
