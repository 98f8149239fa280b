package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A containerd of the test's own: root, state and socket under one directory. */
final class Containerd implements AutoCloseable {
    static final String SNAPSHOTTER = "faasimage";
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Path directory;
    private final Process daemon;

    private Containerd(Path directory, Process daemon) {
        this.directory = directory;
        this.daemon = daemon;
    }

    /** Starts one that uses the snapshotter behind {@code snapshotterSocket}. */
    static Containerd start(Path directory, Path snapshotterSocket) throws Exception {
        Files.createDirectories(directory);
        Path config = Files.writeString(
                directory.resolve("config.toml"), """
                version = 2
                root = "%1$s/root"
                state = "%1$s/state"
                disabled_plugins = ["io.containerd.grpc.v1.cri"]
                [grpc]
                  address = "%1$s/c.sock"
                [plugins."io.containerd.internal.v1.opt"]
                  path = "%1$s/opt"
                [proxy_plugins.%2$s]
                  type = "snapshot"
                  address = "%3$s"
                """.formatted(directory, SNAPSHOTTER, snapshotterSocket));
        Process daemon = new ProcessBuilder("containerd", "--config", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("containerd.log").toFile())
                .start();
        Containerd containerd = new Containerd(directory, daemon);
        try {
            containerd.awaitReady();
        } catch (Exception e) {
            containerd.close();
            throw e;
        }
        return containerd;
    }

    Path socket() {
        return directory.resolve("c.sock");
    }

    /** Runs {@code ctr}; fails when it fails. */
    String ctr(String... arguments) throws IOException, InterruptedException {
        Command.Result result = tryCtr(arguments);
        if (result.status() != 0) {
            throw new IOException("ctr " + String.join(" ", arguments) + " ended with " + result.status() + ": "
                    + result.output() + Files.readString(directory.resolve("containerd.log")));
        }
        return result.output();
    }

    /** Runs {@code ctr} with a file as its input; fails when it fails. */
    void ctrReading(Path input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ctr", "--address", socket().toString(), "--namespace", "test"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("ctr.log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(directory.resolve("ctr.log")))
                .isZero();
    }

    private Command.Result tryCtr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ctr", "--address", socket().toString(), "--namespace", "test"));
        command.addAll(List.of(arguments));
        return Command.attempt(LIMIT, Map.of(), directory, command);
    }

    private void awaitReady() throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (tryCtr("version").status() != 0) {
            if (!daemon.isAlive() || System.nanoTime() > deadline) {
                throw new IOException(
                        "containerd did not start: " + Files.readString(directory.resolve("containerd.log")));
            }
        }
    }

    @Override
    public void close() throws Exception {
        try {
            if (daemon.isAlive()) {
                for (String task : tryCtr("tasks", "list", "--quiet").output().split("\n", -1)) {
                    if (!task.isBlank()) {
                        tryCtr("tasks", "delete", "--force", task);
                    }
                }
            }
        } finally {
            daemon.destroy();
            if (!daemon.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                daemon.destroyForcibly().waitFor();
            }
            for (MountTable.Entry left : MountTable.read().below(directory)) {
                Mounts.detach(Path.of(left.target()));
            }
        }
    }
}
