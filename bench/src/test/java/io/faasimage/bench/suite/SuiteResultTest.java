package io.faasimage.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.faasimage.api.rest.Json;
import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.suite.SuiteResult.Failure;
import io.faasimage.bench.suite.SuiteResult.Series;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class SuiteResultTest {
    private static final SuiteResult RESULT = new SuiteResult(
            null,
            List.of(
                    series("chameleon", "overlayfs", null, 4, 3.9, 4.1),
                    series("chameleon", "faasimage", 12L, 0.5, 0.4, 0.6),
                    series("matmul", "overlayfs", null, 2),
                    series("matmul", "faasimage", 3L, 1),
                    series("rnn", "overlayfs", null, 20)),
            List.of(new Failure(1, "rnn", "faasimage", "no answer")));

    private static Series series(String function, String system, @Nullable Long onDemand, double... totals) {
        return new Series(
                function,
                system,
                DoubleStream.of(totals)
                        .mapToObj(total -> new ColdStart(
                                new StartTimes(total - 0.2, 0.1, 0.1, total),
                                List.of(new StartTimes(0, 0.1, 0.1, 0.2)),
                                900_000,
                                1_000_000,
                                0,
                                5_000_000,
                                onDemand,
                                null,
                                0.75,
                                Map.of("gate", 2_000_000L, "node", 3_000_000L),
                                Map.of()))
                        .toList());
    }

    @Test
    void theMeanIsGeometricAndOverTheFunctionsThatBothHave() {
        assertThat(RESULT.geometricMeans().get("faasimage")).isCloseTo(4.0, within(1e-9));
        assertThat(RESULT.geometricMeans().get("overlayfs")).isCloseTo(1.0, within(1e-9));
    }

    @Test
    void theTableHasMedianSpreadRatioAndSums() {
        List<String> lines = SuiteTable.format(RESULT).lines().toList();
        assertThat(lines.get(2)).contains("chameleon", "faasimage", "0.500 (0.400-0.600)", "8.00", "12", "0.75", "5.0");
        assertThat(lines.get(1)).contains("4.000 (3.900-4.100)", "1.00", " - ");
        assertThat(lines).contains("times shorter than overlayfs, geometric mean:  faasimage 4.00");
        assertThat(lines.getLast()).isEqualTo("failed: run 1 of rnn on faasimage: no answer");
    }

    @Test
    void theJsonHasSpreadsAndSamples() {
        JsonNode json = Json.mapper().readTree(SuiteJson.format(RESULT));
        assertThat(json.at("/series/1/total/median").asDouble()).isEqualTo(0.5);
        assertThat(json.at("/series/1/samples").size()).isEqualTo(3);
        assertThat(json.at("/series/1/samples/0/peakBytes/gate").asLong()).isEqualTo(2_000_000);
        assertThat(json.at("/failures/0/reason").asString()).isEqualTo("no answer");
        assertThat(json.at("/geometricMeanRatio/faasimage").asDouble()).isCloseTo(4.0, within(1e-9));
    }

    @Test
    void nothingButFailuresIsATable() {
        assertThat(SuiteTable.format(new SuiteResult(null, List.of(), RESULT.failures())))
                .startsWith("failed: run 1 of rnn");
    }
}
