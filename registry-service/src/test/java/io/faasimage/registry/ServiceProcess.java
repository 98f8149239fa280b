package io.faasimage.registry;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.testing.AheadOfTimeCaches;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.util.FileSystemUtils;

/** The packaged service as a process of its own. */
final class ServiceProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);

    private final Daemon daemon;
    private final Path log;
    private final int port;
    private final Path data;

    private ServiceProcess(Daemon daemon, Path log, int port, Path data) {
        this.daemon = daemon;
        this.log = log;
        this.port = port;
        this.data = data;
    }

    /** Starts it with its launcher, which becomes the Java process; does not wait. */
    static ServiceProcess start(Path data, int port, String... options) throws IOException, InterruptedException {
        return start(data, port, Map.of(), options);
    }

    /** Variant with additional environment variables. */
    static ServiceProcess start(Path data, int port, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        AheadOfTimeCaches.make(List.of("registry-service"), ServiceProcess::train);
        return launch(data, port, environment, options);
    }

    private static void train() throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("registry-service");
        try (ServiceProcess training = launch(data, Ports.free(), AheadOfTimeCaches.TRAINING)) {
            training.awaitHealth();
            training.daemon.end(START);
        }
        FileSystemUtils.deleteRecursively(data);
    }

    private static ServiceProcess launch(Path data, int port, Map<String, String> environment, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of("..", "docker", "bin", "faasimage-registry")
                        .toAbsolutePath()
                        .normalize()
                        .toString(),
                "--faasimage.data=" + data,
                "--faasimage.predict=none",
                "--server.port=" + port));
        command.addAll(List.of(options));
        Path log = Files.createTempFile("registry-service", ".log");
        Map<String, String> all = new HashMap<>(Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "FAASIMAGE_JAVA_OPTS",
                "-Xmx384m -XX:TieredStopAtLevel=1"));
        all.putAll(environment);
        return new ServiceProcess(Daemon.start("the service", log, all, command), log, port, data);
    }

    /** Waits until it answers, and gives a client with its own token. */
    ServiceClient awaitReady() throws IOException, InterruptedException {
        ServiceConfig bare = awaitHealth();
        String token = Files.readString(data.resolve("token")).strip();
        return new ServiceClient(ServiceConfig.of(bare.base(), Optional.of(token)));
    }

    /** Waits until it answers, and returns a client with this token. */
    ServiceClient awaitReady(String token) throws IOException, InterruptedException {
        return new ServiceClient(ServiceConfig.of(awaitHealth().base(), Optional.of(token)));
    }

    private ServiceConfig awaitHealth() throws IOException, InterruptedException {
        ServiceConfig bare = ServiceConfig.of(URI.create("http://127.0.0.1:" + port), Optional.empty());
        try (ServiceClient probe = new ServiceClient(bare)) {
            daemon.await(START, probe::healthy);
        }
        return bare;
    }

    /** Waits until it ends by itself. */
    int awaitExit() throws IOException, InterruptedException {
        return daemon.awaitExit(START);
    }

    /** Kills it at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        daemon.kill();
    }

    /** Its output. */
    String log() throws IOException {
        return daemon.log();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
        Files.deleteIfExists(log);
    }
}
