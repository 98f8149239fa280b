package io.faasimage.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.faasimage.bench.Ports;
import io.faasimage.bench.coldstart.BenchConfig.ContainerSystem;
import io.faasimage.bench.coldstart.BenchConfig.Function;
import io.faasimage.bench.measure.Counter;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the bench on commands that write down what they were asked to do. */
final class ColdStartBenchTest {
    @TempDir
    private Path directory;

    private final java.util.concurrent.atomic.AtomicBoolean over = new java.util.concurrent.atomic.AtomicBoolean();

    @AfterEach
    void stopServing() {
        over.set(true);
    }

    /** Serves {@code port} while the file {@code running} exists, as the containers would. */
    private void serveWhileRunning(int port, Path running) {
        Thread.ofVirtual().start(() -> {
            HttpServer server = null;
            while (!over.get()) {
                boolean wanted = Files.exists(running);
                if (wanted && server == null) {
                    server = start(port);
                } else if (!wanted && server != null) {
                    server.stop(0);
                    server = null;
                    delete(running.resolveSibling("serving"));
                }
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        });
    }

    private HttpServer start(int port) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
            Files.createFile(directory.resolve("serving"));
            return server;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private List<String> note(String text) {
        return List.of("sh", "-c", "echo \"$@\" >> " + directory.resolve("log"), "sh", text);
    }

    private ContainerSystem system(String name) {
        Path running = directory.resolve("running");
        String stop = "rm %s; while [ -e %s ]; do sleep 0.01; done".formatted(running, directory.resolve("serving"));
        return new ContainerSystem(
                name,
                note("pull " + name + " {image}"),
                List.of("touch", running.toString()),
                List.of("sh", "-c", stop));
    }

    @Test
    void everyRunEmptiesTheNodeForEachSystemAndStartsAllFunctions() throws Exception {
        int port = Ports.free();
        serveWhileRunning(port, directory.resolve("running"));
        Path pid = Files.writeString(
                directory.resolve("pid"), ProcessHandle.current().pid() + " 12345\n");
        BenchConfig config = new BenchConfig(
                2,
                1,
                port,
                "lo",
                30,
                note("empty"),
                note("drop"),
                note("warm"),
                List.of(new Function("one", "image-1", "/"), new Function("two", "image-2", "/")),
                List.of(system("a"), system("b")),
                new Counter(List.of("echo", "{\"gate\":{\"requests\":7}}"), "/gate/requests"),
                Map.of("self", pid.toString()),
                null);

        BenchResult result = new ColdStartBench(config, new PrintStream(PrintStream.nullOutputStream(), false)).run();

        assertThat(result.cold()).extracting(Series::function).containsExactly("one", "one", "two", "two");
        assertThat(result.cold())
                .allSatisfy(series -> assertThat(series.samples()).hasSize(2));
        assertThat(result.warm()).extracting(Series::system).containsExactly("a", "b");
        assertThat(result.warmFuseRequests()).isZero();
        assertThat(result.resident().get("self")).isGreaterThan(1_000_000L);
        List<String> once = List.of("empty", "drop", "pull a image-1", "drop", "pull a image-2");
        assertThat(Files.readAllLines(directory.resolve("log")))
                .startsWith(once.toArray(String[]::new))
                .hasSize(2 * 2 * once.size() + 1)
                .endsWith("warm");
    }
}
