package io.faasimage.system;

import io.faasimage.testing.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Functions of every language behind the real of-watchdog, whose program no package registry has. */
final class WatchdogIT {
    private static final String VARIABLE = "OF_WATCHDOG";

    @TempDir
    private static Path work;

    private static Cluster cluster;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        Optional<String> watchdog =
                Optional.ofNullable(System.getenv(VARIABLE)).filter(path -> Files.isExecutable(Path.of(path)));
        if (watchdog.isEmpty()) {
            System.err.println("WatchdogIT is skipped: give of-watchdog's path in " + VARIABLE);
        }
        Assumptions.assumeTrue(watchdog.isPresent(), "of-watchdog is not here; give its path in " + VARIABLE);
        cluster = Cluster.start(
                ClusterOptions.builder(Cluster.RUNTIMES, "--faasimage.build.of-watchdog=" + watchdog.orElseThrow()));
    }

    @AfterAll
    static void stopCluster() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "python,{\"hello\": \"you\"}",
        "node,{\"hello\":\"you\"}",
        "php,{\"hello\":\"you\"}",
        "ruby,{\"hello\":\"you\"}"
    })
    void aTemplateAnswersThroughIt(String runtime, String answer) throws IOException, InterruptedException {
        BuiltFunctions functions = new BuiltFunctions(cluster, work);
        JsonNode built = functions.build(functions.template(runtime, "watched-" + runtime), runtime);
        String upstream = Integer.toString(Ports.free());
        functions.trace(
                built,
                "export port=$PORT PORT=%1$s upstream_url=http://127.0.0.1:%1$s; exec /usr/bin/fwatchdog"
                        .formatted(upstream));
        functions.startsColdAndAnswers(built, "/?name=you", answer);
    }
}
