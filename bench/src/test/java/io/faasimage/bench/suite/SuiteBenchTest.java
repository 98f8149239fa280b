package io.faasimage.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.bench.measure.Counter;
import io.faasimage.bench.suite.SuiteConfig.ContainerSystem;
import io.faasimage.bench.suite.SuiteConfig.Function;
import io.faasimage.testing.Ports;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suite on commands that record their calls; the container is a Python process that serves a file.
 */
final class SuiteBenchTest {
    private static final String SERVER = """
            import http.server, os, sys
            class Hello(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200); self.end_headers(); self.wfile.write(b"hello")
                def log_message(self, *args): pass
            http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Hello).serve_forever()
            """;

    @TempDir
    private Path directory;

    private int port;

    @BeforeEach
    void chooseAPort() throws IOException {
        port = Ports.free();
    }

    private List<String> note(String text) {
        return List.of("sh", "-c", "echo \"$@\" >> " + directory.resolve("log"), "sh", text);
    }

    private ContainerSystem system(String name) throws IOException {
        Path server = Files.writeString(directory.resolve("server.py"), SERVER);
        Path pid = Files.writeString(
                directory.resolve("self"), ProcessHandle.current().pid() + " 1\n");
        Path container = directory.resolve("container");
        return new ContainerSystem(
                name,
                note("prepare " + name + " {node}"),
                note("pull " + name + " {image}"),
                List.of("sh", "-c", "python3 %s {port} >/dev/null 2>&1 & echo $! >%s".formatted(server, container)),
                List.of(
                        "sh",
                        "-c",
                        "pid=$(cat %s); kill $pid; while kill -0 $pid 2>/dev/null; do sleep 0.02; done"
                                .formatted(container)),
                note("finish " + name),
                new Counter(List.of("echo", "{\"fetched\":7}"), "/fetched"),
                new Counter(List.of("echo", "{\"requests\":9}"), "/requests"),
                List.of(directory.toString()),
                Map.of("self", pid.toString()));
    }

    private SuiteResult run(boolean oneNode, String expected, ContainerSystem... systems) throws InterruptedException {
        List<Function> functions = List.of(
                new Function("one", "python", "image-1", "/", expected),
                new Function("two", "node", "image-2", "/", expected));
        SuiteConfig config = new SuiteConfig(1, 2, oneNode, port, "lo", 30, 0, functions, List.of(systems), null);
        return new SuiteBench(config, new PrintStream(PrintStream.nullOutputStream(), false)).run();
    }

    @Test
    void everyStartHasANodeOfItsOwnAndTheSystemsTakeTurns() throws Exception {
        SuiteResult result = run(false, "hello", system("a"), system("b"));

        assertThat(result.failures()).isEmpty();
        assertThat(result.series())
                .extracting(SuiteResult.Series::function)
                .containsExactly("one", "one", "two", "two");
        assertThat(result.series())
                .allSatisfy(series -> assertThat(series.samples()).hasSize(1));
        ColdStart sample = result.series().getFirst().samples().getFirst();
        assertThat(sample.onDemand()).isEqualTo(7);
        assertThat(sample.diskBytes()).isPositive();
        assertThat(sample.warm()).hasSize(2).allSatisfy(warm -> {
            assertThat(warm.pull()).isZero();
            assertThat(warm.total()).isPositive().isLessThan(30);
        });
        assertThat(sample.warmFuseRequests()).isZero();
        assertThat(sample.peakBytes()).containsKey("self");
        assertThat(sample.residentBytes().get("self")).isGreaterThan(1_000_000);
        assertThat(Files.readAllLines(directory.resolve("log")))
                .startsWith(
                        "prepare a python",
                        "pull a image-1",
                        "finish a",
                        "prepare b python",
                        "pull b image-1",
                        "finish b")
                .contains("prepare a node")
                .hasSize(2 * 2 * 3);
    }

    @Test
    void aWrongAnswerIsAFailureAndTheOthersGoOn() throws Exception {
        SuiteResult result = run(false, "something else", system("a"));

        assertThat(result.series()).isEmpty();
        assertThat(result.failures()).extracting(SuiteResult.Failure::function).containsExactly("one", "two");
        assertThat(result.failures().getFirst().reason()).contains("a 200 without 'something else'");
        assertThat(Files.readAllLines(directory.resolve("log"))).endsWith("finish a");
    }

    @Test
    void onOneNodeASystemStartsAllFunctionsBeforeTheNextOne() throws Exception {
        SuiteResult result = run(true, "hello", system("a"), system("b"));

        assertThat(result.series())
                .extracting(series -> series.function() + " " + series.system())
                .containsExactly("one a", "one b", "two a", "two b");
        assertThat(Files.readAllLines(directory.resolve("log")))
                .filteredOn(line -> line.startsWith("prepare"))
                .containsExactly("prepare a python", "prepare a node", "prepare b python", "prepare b node");
    }

    @Test
    void onOneNodeTheFirstFailureEndsTheRun() throws Exception {
        SuiteResult result = run(true, "something else", system("a"), system("b"));

        assertThat(result.failures()).extracting(SuiteResult.Failure::function).containsExactly("one");
    }
}
