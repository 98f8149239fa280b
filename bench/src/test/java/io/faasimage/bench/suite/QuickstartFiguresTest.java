package io.faasimage.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.bench.measure.Commands;
import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.suite.SuiteResult.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures that quickstart derives from the JSON by {@code docker/quickstart/figures.jq}. */
final class QuickstartFiguresTest {
    private static final String FACTS = """
            {"images": [{"function": "hello", "compressedBytes": 107700000, "refactorSeconds": 5.02}]}""";

    private static List<String> lines = List.of();

    private static Series series(
            String function, String system, double total, double warm, long bytes, @Nullable Long requests) {
        return new Series(
                function,
                system,
                List.of(-0.01, 0.0, 0.01).stream()
                        .map(more -> new ColdStart(
                                new StartTimes(total - 0.2, 0.09, 0.11, total + more),
                                List.of(new StartTimes(0, 0.05, warm - 0.05, warm)),
                                bytes,
                                2 * bytes,
                                0,
                                0,
                                null,
                                requests,
                                0,
                                Map.of(),
                                requests == null
                                        ? Map.of("containerd", 50_000_000L)
                                        : Map.of(
                                                "containerd",
                                                1L,
                                                "node-manager",
                                                120_000_000L,
                                                "fuse-node",
                                                80_000_000L)))
                        .toList());
    }

    @BeforeAll
    static void print(@TempDir Path directory) throws IOException, InterruptedException {
        SuiteResult result = new SuiteResult(
                Json.mapper().readTree(FACTS),
                List.of(
                        series("hello", "overlayfs", 3, 0.4, 100_000_000, null),
                        series("hello", "faasimage", 0.75, 0.41, 10_000_000, 0L),
                        series("second", "overlayfs", 2, 0.4, 50_000_000, null),
                        series("second", "faasimage", 0.5, 0.39, 1_000_000, 1L)),
                List.of());
        Path json = Files.writeString(directory.resolve("figures.json"), SuiteJson.format(result));
        lines = new Commands(Duration.ofMinutes(1))
                .run(List.of("jq", "-r", "-f", "../docker/quickstart/figures.jq", json.toString()))
                .lines()
                .toList();
    }

    @Test
    void theTableComparesEverySystemWithTheFirst() {
        assertThat(lines.get(1)).matches("cold hello +overlayfs +2800 +90 +110 +3000 \\(2990-3010\\) +100\\.0");
        assertThat(lines.get(2)).matches("cold hello +faasimage +550 +90 +110 +750 \\(740-760\\) +10\\.0");
        assertThat(lines.get(3)).matches(" +4\\.0 times shorter +10\\.0 %");
    }

    @Test
    void theTableSaysHowWarmStartsDiffer() {
        assertThat(lines.get(8)).matches("warm hello +faasimage +- +50 +360 +410 \\(410-410\\) +0\\.0");
        assertThat(lines.get(9).strip()).isEqualTo("+2.5 %");
        assertThat(lines.get(12).strip()).isEqualTo("-2.5 %");
    }

    @Test
    void columnsLineUp() {
        int end = lines.getFirst().indexOf("total ms (min-max)") + "total ms (min-max)".length();
        assertThat(lines.get(1).charAt(end - 1)).isEqualTo(')');
        assertThat(lines.get(8).charAt(end - 1)).isEqualTo(')');
    }

    @Test
    void belowItIsWhatTheSecondFunctionMovesAndWhatTheNodeTakes() {
        assertThat(lines.subList(13, lines.size()))
                .containsExactly(
                        "overlayfs: 'second' after 'hello' moved 50.0 % of its bytes",
                        "faasimage: 'second' after 'hello' moved 10.0 % of its bytes",
                        "FUSE requests in all warm starts: 3",
                        "resident when idle:  fuse-node 80 MB  node-manager 120 MB  together 200 MB",
                        "image hello: 107.7 MB compressed, refactored in 5.02 s");
    }
}
