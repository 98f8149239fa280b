package io.faasimage.bench.coldstart;

import static java.util.Locale.ROOT;

import io.faasimage.api.Json;
import io.faasimage.bench.measure.Spread;
import io.faasimage.bench.measure.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A result for people, as a table, and for programs, as JSON. */
public final class Report {
    private static final List<String> HEADER =
            List.of("", "", "pull ms", "start ms", "first answer ms", "total ms (min-max)", "MB moved");

    private Report() {}

    /** The table, with the ratio of every system to the first one of its function. */
    public static String table(BenchResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        addSeries(rows, result.cold());
        addSeries(rows, result.warm());
        StringBuilder text = new StringBuilder(TextTable.format(rows));
        addSharing(text, result.cold());
        if (result.warmFuseRequests() != null) {
            text.append("FUSE requests in all warm starts: %d%n".formatted(result.warmFuseRequests()));
        }
        if (!result.resident().isEmpty()) {
            text.append("resident when idle:");
            new TreeMap<>(result.resident())
                    .forEach((name, bytes) -> text.append(String.format(ROOT, "  %s %.0f MB", name, bytes / 1e6)));
            text.append(String.format(
                    ROOT,
                    "  together %.0f MB%n",
                    result.resident().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()
                            / 1e6));
        }
        return text.toString();
    }

    private static void addSeries(List<List<String>> rows, List<Series> all) {
        Map<String, Series> baseline = new LinkedHashMap<>();
        for (Series series : all) {
            Series base = baseline.putIfAbsent(series.function(), series);
            rows.add(row(series));
            if (base != null) {
                rows.add(comparison(base, series));
            }
        }
    }

    private static List<String> row(Series series) {
        boolean warm = series.condition().equals("warm");
        Spread total = series.total();
        return List.of(
                series.condition() + " " + series.function(),
                series.system(),
                warm ? "-" : String.format(ROOT, "%.0f", series.pull().median()),
                String.format(ROOT, "%.0f", series.start().median()),
                String.format(ROOT, "%.0f", series.answer().median()),
                String.format(ROOT, "%.0f (%.0f-%.0f)", total.median(), total.min(), total.max()),
                String.format(ROOT, "%.1f", series.bytes().median() / 1e6));
    }

    private static List<String> comparison(Series base, Series other) {
        boolean warm = other.condition().equals("warm");
        double time = base.total().median() / other.total().median();
        String faster = warm
                ? String.format(ROOT, "%+.1f %%", 100 * (1 / time - 1))
                : String.format(ROOT, "%.1f times shorter", time);
        String bytes = warm
                ? ""
                : String.format(
                        ROOT,
                        "%.1f %%",
                        100 * other.bytes().median() / Math.max(1, base.bytes().median()));
        return List.of("", "", "", "", "", faster, bytes);
    }

    /** What the functions after the first still move, per system, in percent of the first. */
    private static void addSharing(StringBuilder text, List<Series> cold) {
        Map<String, Series> first = new LinkedHashMap<>();
        for (Series series : cold) {
            Series base = first.putIfAbsent(series.system(), series);
            if (base != null) {
                double share =
                        100 * series.bytes().median() / Math.max(1, base.bytes().median());
                text.append(String.format(
                        ROOT,
                        "%s: '%s' after '%s' moved %.1f %% of its bytes%n",
                        series.system(),
                        series.function(),
                        base.function(),
                        share));
            }
        }
    }

    /** The JSON document. */
    public static String json(BenchResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (result.facts() != null) {
            document.put("facts", result.facts());
        }
        document.put("cold", result.cold().stream().map(Report::document).toList());
        document.put("warm", result.warm().stream().map(Report::document).toList());
        if (result.warmFuseRequests() != null) {
            document.put("warmFuseRequests", result.warmFuseRequests());
        }
        document.put("residentBytes", new TreeMap<>(result.resident()));
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }

    private static Map<String, Object> document(Series series) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("function", series.function());
        document.put("system", series.system());
        document.put("pullMs", series.pull());
        document.put("startMs", series.start());
        document.put("answerMs", series.answer());
        document.put("totalMs", series.total());
        document.put("bytes", series.bytes());
        document.put("samples", series.samples());
        return document;
    }
}
