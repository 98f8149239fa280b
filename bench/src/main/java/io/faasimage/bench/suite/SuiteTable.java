package io.faasimage.bench.suite;

import static java.util.Locale.ROOT;

import io.faasimage.bench.measure.Spread;
import io.faasimage.bench.measure.StartTimes;
import io.faasimage.bench.measure.TextTable;
import io.faasimage.bench.suite.SuiteResult.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A result for people: medians, with the ratio of every system to the first one. */
public final class SuiteTable {
    private static final List<String> HEADER = List.of(
            "function",
            "system",
            "pull s",
            "start s",
            "answer s",
            "total s (min-max)",
            "ratio",
            "warm s",
            "net MB",
            "disk MB",
            "on demand",
            "CPU s",
            "peak MB");

    private SuiteTable() {}

    /** The table, the geometric means below it, then the failures. */
    public static String format(SuiteResult result) {
        if (result.series().isEmpty()) {
            return failures(result);
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        String baseline = result.systems().getFirst();
        for (Series series : result.series()) {
            String ratio = result.ratio(series.function(), baseline, series.system())
                    .map(value -> String.format(ROOT, "%.2f", value))
                    .orElse("-");
            rows.add(row(series, ratio));
        }
        StringBuilder text = new StringBuilder(TextTable.format(rows));
        text.append("times shorter than ").append(baseline).append(", geometric mean:");
        result.geometricMeans().forEach((system, mean) -> {
            if (!system.equals(baseline)) {
                text.append(String.format(ROOT, "  %s %.2f", system, mean));
            }
        });
        return text.append(System.lineSeparator()).append(failures(result)).toString();
    }

    private static List<String> row(Series series, String ratio) {
        Spread total = series.total();
        return List.of(
                series.function(),
                series.system(),
                seconds(series.cold(StartTimes::pull)),
                seconds(series.cold(StartTimes::start)),
                seconds(series.cold(StartTimes::answer)),
                String.format(ROOT, "%.3f (%.3f-%.3f)", total.median(), total.min(), total.max()),
                ratio,
                seconds(series.warm(StartTimes::total)),
                megabytes(series, ColdStart::bytes),
                megabytes(series, ColdStart::diskBytes),
                onDemand(series),
                String.format(ROOT, "%.2f", series.spread(ColdStart::cpuSeconds).median()),
                megabytes(series, ColdStart::allPeakBytes));
    }

    private static String seconds(Spread spread) {
        return String.format(ROOT, "%.3f", spread.median());
    }

    private static String megabytes(Series series, ToDoubleFunction<ColdStart> value) {
        return String.format(ROOT, "%.1f", series.spread(value).median() / 1e6);
    }

    private static String onDemand(Series series) {
        List<Double> counts = new ArrayList<>();
        for (ColdStart sample : series.samples()) {
            Long count = sample.onDemand();
            if (count != null) {
                counts.add(count.doubleValue());
            }
        }
        return counts.isEmpty()
                ? "-"
                : String.format(ROOT, "%.0f", Spread.of(counts).median());
    }

    private static String failures(SuiteResult result) {
        StringBuilder text = new StringBuilder();
        result.failures()
                .forEach(failure -> text.append("failed: run %d of %s on %s: %s%n"
                        .formatted(failure.run(), failure.function(), failure.system(), failure.reason())));
        return text.toString();
    }
}
