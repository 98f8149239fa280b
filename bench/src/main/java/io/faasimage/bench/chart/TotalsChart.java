package io.faasimage.bench.chart;

import io.faasimage.bench.suite.SuiteResult;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.style.Styler;

/** Bars of the median whole times, per function one for each system, on a logarithmic axis. */
public final class TotalsChart {
    private static final int WIDTH = 1400;
    private static final int HEIGHT = 620;

    private final CategoryChart chart;

    /**
     * The chart of {@code result}.
     *
     * @param title above it
     * @throws IllegalArgumentException when nothing was measured
     */
    public TotalsChart(SuiteResult result, String title) {
        if (result.series().isEmpty()) {
            throw new IllegalArgumentException("there is nothing to draw: no start was measured");
        }
        chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle("seconds to the first answer (median)")
                .theme(Styler.ChartTheme.XChart)
                .build();
        chart.getStyler().setYAxisLogarithmic(true);
        // Bars on a logarithmic axis need a place to begin; only powers of ten are labelled, so it ends at one, too.
        chart.getStyler().setYAxisMin(powerOfTenBelow(result));
        chart.getStyler().setYAxisMax(powerOfTenAbove(result));
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
        chart.getStyler().setXAxisLabelRotation(30);
        chart.getStyler().setAvailableSpaceFill(0.8);
        for (String system : result.systems()) {
            chart.addSeries(system, result.functions(), medians(result, system));
        }
    }

    private static double powerOfTenBelow(SuiteResult result) {
        return Math.pow(10, Math.floor(Math.log10(medians(result).min().orElseThrow())));
    }

    private static double powerOfTenAbove(SuiteResult result) {
        // At least one above where the bars begin, also when all are the same power of ten.
        double power = Math.ceil(Math.log10(medians(result).max().orElseThrow()));
        return Math.max(Math.pow(10, power), 10 * powerOfTenBelow(result));
    }

    private static DoubleStream medians(SuiteResult result) {
        return result.series().stream().mapToDouble(series -> series.total().median());
    }

    /** One value per function; null, which is drawn as a gap, where nothing was measured. */
    private static List<Double> medians(SuiteResult result, String system) {
        List<Double> medians = new ArrayList<>();
        for (String function : result.functions()) {
            medians.add(result.series(function, system)
                    .map(series -> series.total().median())
                    .orElse(null));
        }
        return medians;
    }

    /** Writes {@code BASE.svg} and {@code BASE.png}. */
    public void write(Path base) throws IOException {
        VectorGraphicsEncoder.saveVectorGraphic(chart, base.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        BitmapEncoder.saveBitmap(chart, base.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
}
