package io.faasimage.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.suite.ColdStart;
import io.faasimage.bench.suite.SuiteResult;
import io.faasimage.bench.suite.SuiteResult.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TotalsChartTest {
    @TempDir
    private Path directory;

    private static Series series(String function, String system, double total) {
        StartTimes times = new StartTimes(0, 0, total, total);
        ColdStart start = new ColdStart(times, List.of(times), 0, 0, 0, 0, null, null, 0, Map.of(), Map.of());
        return new Series(function, system, List.of(start));
    }

    /** The number of shapes in the SVG of {@code series}; text is drawn as shapes, too. */
    private int shapes(String name, Series... series) throws IOException {
        new TotalsChart(new SuiteResult(null, List.of(series), List.of()), "Fresh node").write(directory.resolve(name));
        String svg = Files.readString(directory.resolve(name + ".svg"));
        assertThat(svg).contains("<svg");
        return svg.split("<path", -1).length;
    }

    @Test
    void everySystemIsInThePictureAlsoOneWithAGap() throws IOException {
        int one = shapes("one", series("chameleon", "overlayfs", 4), series("rnn", "overlayfs", 20));
        // faasimage has no figure for rnn: a gap, not a failure.
        int two = shapes(
                "two",
                series("chameleon", "overlayfs", 4),
                series("chameleon", "faasimage", 0.5),
                series("rnn", "overlayfs", 20));
        assertThat(two).isGreaterThan(one);
        assertThat(ImageIO.read(directory.resolve("two.png").toFile()).getWidth())
                .isEqualTo(1400);
    }

    @Test
    void nothingMeasuredIsAnError() {
        assertThatThrownBy(() -> new TotalsChart(new SuiteResult(null, List.of(), List.of()), "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing to draw");
    }
}
