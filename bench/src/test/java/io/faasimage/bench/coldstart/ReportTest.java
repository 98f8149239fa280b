package io.faasimage.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class ReportTest {
    private static final BenchResult RESULT = new BenchResult(
            null,
            List.of(
                    series("cold", "hello", "overlayfs", 3000, 100_000_000),
                    series("cold", "hello", "faasimage", 750, 10_000_000),
                    series("cold", "second", "overlayfs", 2000, 50_000_000),
                    series("cold", "second", "faasimage", 500, 1_000_000)),
            List.of(series("warm", "hello", "overlayfs", 400, 0), series("warm", "hello", "faasimage", 410, 0)),
            0L,
            Map.of("node-manager", 120_000_000L, "fuse-node", 80_000_000L));

    private static Series series(String condition, String function, String system, double total, long bytes) {
        return new Series(
                condition,
                function,
                system,
                List.of(
                        new Sample(total - 200, 90, 110, total, bytes),
                        new Sample(total - 210, 100, 120, total + 10, bytes),
                        new Sample(total - 190, 80, 100, total - 10, bytes)));
    }

    @Test
    void theTableComparesEverySystemWithTheFirst() {
        List<String> lines = Report.table(RESULT).lines().toList();
        assertThat(lines.get(1)).contains("cold hello", "overlayfs", "3000 (2990-3010)", "100.0");
        assertThat(lines.get(2)).contains("cold hello", "faasimage", "750 (740-760)", "10.0");
        assertThat(lines.get(3).strip()).isEqualTo("4.0 times shorter    10.0 %");
    }

    @Test
    void theTableSaysWhatTheSecondFunctionMoves() {
        assertThat(Report.table(RESULT))
                .contains("faasimage: 'second' after 'hello' moved 10.0 % of its bytes")
                .contains("overlayfs: 'second' after 'hello' moved 50.0 % of its bytes");
    }

    @Test
    void theTableSaysHowWarmStartsDiffer() {
        assertThat(Report.table(RESULT)).contains("+2.5 %").contains("FUSE requests in all warm starts: 0");
    }

    @Test
    void theTableSumsTheMemory() {
        assertThat(Report.table(RESULT)).contains("fuse-node 80 MB  node-manager 120 MB  together 200 MB");
    }

    @Test
    void columnsLineUp() {
        List<String> lines = Report.table(RESULT).lines().toList();
        int end = lines.getFirst().indexOf("total ms (min-max)") + "total ms (min-max)".length();
        assertThat(lines.get(1).charAt(end - 1)).isEqualTo(')');
        assertThat(lines.get(2).charAt(end - 1)).isEqualTo(')');
    }

    @Test
    void theJsonHasMedianAndSamples() {
        JsonNode json = Json.mapper().readTree(Report.json(RESULT));
        JsonNode faasimage = json.at("/cold/1");
        assertThat(faasimage.at("/system").asString()).isEqualTo("faasimage");
        assertThat(faasimage.at("/totalMs/median").asDouble()).isEqualTo(750);
        assertThat(faasimage.at("/samples").size()).isEqualTo(3);
        assertThat(json.at("/warmFuseRequests").asLong()).isZero();
    }
}
