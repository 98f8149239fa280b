package io.faasimage.cli.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartSummary;
import io.faasimage.cli.terminal.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopViewTest {
    private static final Instant NOW = Instant.parse("2026-11-21T22:00:00Z");

    private static TopView view(int nodes, int starts) {
        NodeReport report = new NodeReport(
                "i-1",
                "0.1.0",
                NOW,
                null,
                null,
                new NodeReport.Store(10, 1_500_000, null),
                1,
                90,
                10,
                0,
                Map.of(),
                0,
                0,
                List.of());
        NodeInfo node = new NodeInfo(
                "node-with-a-rather-long-name-17",
                NOW.minusSeconds(5),
                true,
                0.9,
                Map.of("lazy", 12L),
                List.of(),
                report);
        StartSummary start = new StartSummary(
                "s1",
                node.name(),
                NOW.minusSeconds(300),
                StartKind.MISSES,
                null,
                true,
                null,
                "registry.example.org/team/a-function:1",
                "a-function-with-a-name",
                850_000L,
                300_000L,
                1_200_000L,
                11_900_000L,
                null,
                null,
                false,
                0.9,
                null,
                3);
        Overview overview = new Overview(
                12,
                Map.of("planned", 10L, "failed", 1L),
                3,
                2,
                Map.of("running", 1L),
                NOW,
                120,
                30,
                Map.of("lazy", 100L),
                850_000L,
                12_000_000L,
                120_300_000,
                2_100_000_000L,
                null,
                0,
                0,
                List.of(new Overview.Wrong("node", "node-3", "silent for an hour")));
        return new TopView(
                NOW, "127.0.0.1:8980", overview, Collections.nCopies(nodes, node), Collections.nCopies(starts, start));
    }

    private static String shown(TopView view, int width, int height) {
        StringWriter text = new StringWriter();
        view.print(new Screen(new PrintWriter(text), true, width, height, false), ZoneOffset.UTC);
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 132})
    void fitsTheTerminal(int width) {
        assertThat(shown(view(40, 100), width, 24).lines())
                .hasSizeLessThan(24)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
    }

    @Test
    void showsWhatIsThere() {
        assertThat(shown(view(1, 1), 200, 50))
                .contains("22:00:00: 2 of 3 nodes alive, 12 functions, images 1 failed, 10 planned, jobs 1 running")
                .contains("120 starts, 30 cold; median 0.850 s, 95 % 12.0 s\n")
                .contains("Moved 120.3 MB, saved 2.1 GB compared with full pulls")
                .contains("! node-3: silent for an hour")
                .containsPattern("node-with-a-rather-long-name-17 +ok +12 +0 +0 +0 +90 % +1.5 MB +5 s")
                .containsPattern(
                        "5 min +node-with-.* +a-function-with-a-name +misses +yes +0.850 s +1.200 s +11.9 MB +3");
    }
}
