package io.faasimage.registry;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The packaged service as a process of its own. */
final class ServiceProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;
    private final int port;
    private final Path data;

    private ServiceProcess(Process process, Path log, int port, Path data) {
        this.process = process;
        this.log = log;
        this.port = port;
        this.data = data;
    }

    /** Starts it with its launcher, which becomes the Java process; does not wait. */
    static ServiceProcess start(Path data, int port, String... options) throws IOException {
        return start(data, port, Map.of(), options);
    }

    /** As above, with more in its environment. */
    static ServiceProcess start(Path data, int port, Map<String, String> environment, String... options)
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
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("FAASIMAGE_JAVA_OPTS", "-Xmx384m -XX:TieredStopAtLevel=1");
        builder.environment().putAll(environment);
        return new ServiceProcess(builder.start(), log, port, data);
    }

    /** Waits until it answers, and gives a client with its own token. */
    ServiceClient awaitReady() throws IOException {
        ServiceConfig bare = awaitHealth();
        String token = Files.readString(data.resolve("token")).strip();
        return new ServiceClient(ServiceConfig.of(bare.base(), Optional.of(token)));
    }

    /** Waits until it answers, and gives a client with this token. */
    ServiceClient awaitReady(String token) throws IOException {
        return new ServiceClient(ServiceConfig.of(awaitHealth().base(), Optional.of(token)));
    }

    private ServiceConfig awaitHealth() throws IOException {
        ServiceConfig bare = ServiceConfig.of(URI.create("http://127.0.0.1:" + port), Optional.empty());
        long end = System.nanoTime() + START.toNanos();
        try (ServiceClient probe = new ServiceClient(bare)) {
            while (!probe.healthy()) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw new IOException("the service did not start: " + log());
                }
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
        return bare;
    }

    /** Waits until it ends by itself. */
    int awaitExit() throws IOException, InterruptedException {
        if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("the service still runs: " + log());
        }
        return process.exitValue();
    }

    /** Kills it at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** What it has written. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
        Files.deleteIfExists(log);
    }
}
