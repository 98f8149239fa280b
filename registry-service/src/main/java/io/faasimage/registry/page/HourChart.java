package io.faasimage.registry.page;

import io.faasimage.api.StartHour;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Starts of a day by hour and class, one column per hour.
 *
 * @param columns oldest first
 * @param labels of the axis of hours
 * @param most starts of one hour: the top of the picture
 * @param text the same in words
 */
public record HourChart(List<Column> columns, List<Label> labels, long most, String text) {
    /** Height of the columns. */
    public static final int HEIGHT = 120;

    /** Width of a column with its gap. */
    public static final int STEP = 30;

    /** How many hours there are. */
    public static final int HOURS = 24;

    private static final List<String> CLASSES = List.of("lazy", "misses", "full", "refused");
    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * One hour.
     *
     * @param x where it is
     * @param parts from below
     * @param text the same in words
     */
    public record Column(int x, List<Part> parts, String text) {
        /** Copies the list. */
        public Column {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Starts of one class in an hour.
     *
     * @param kind class
     * @param y where it begins
     * @param height of it
     */
    public record Part(String kind, String y, String height) {}

    /**
     * An hour of the axis.
     *
     * @param x where it is
     * @param text of it
     */
    public record Label(int x, String text) {}

    /** Copies the lists. */
    public HourChart {
        columns = List.copyOf(columns);
        labels = List.copyOf(labels);
    }

    /** The picture of the day that ends at {@code until}, a whole hour. */
    public static HourChart of(List<StartHour> hours, Instant until) {
        Map<Instant, StartHour> byHour =
                hours.stream().collect(Collectors.toMap(StartHour::hour, Function.identity(), (one, other) -> one));
        long most = hours.stream().mapToLong(StartHour::starts).max().orElse(0);
        List<Column> columns = new ArrayList<>();
        List<Label> labels = new ArrayList<>();
        for (int i = 0; i < HOURS; i++) {
            Instant hour = until.minus(Duration.ofHours((long) HOURS - i));
            if (i % 4 == 0) {
                labels.add(new Label(i * STEP, HOUR.format(hour)));
            }
            StartHour starts = byHour.get(hour);
            if (starts != null) {
                columns.add(new Column(i * STEP, parts(starts, most), words(starts)));
            }
        }
        long all = hours.stream().mapToLong(StartHour::starts).sum();
        return new HourChart(
                columns,
                labels,
                most,
                "Starts of the last 24 hours: " + Figures.count(all) + ", at most " + Figures.count(most)
                        + " in an hour");
    }

    private static List<Part> parts(StartHour hour, long most) {
        List<Part> parts = new ArrayList<>();
        double y = HEIGHT;
        for (String kind : CLASSES) {
            long starts = hour.byClass().getOrDefault(kind, 0L);
            if (starts > 0) {
                double height = Math.max(1.5, (double) HEIGHT * starts / Math.max(1, most));
                y -= height;
                parts.add(new Part(
                        kind, String.format(Locale.ROOT, "%.1f", y), String.format(Locale.ROOT, "%.1f", height)));
            }
        }
        return parts;
    }

    private static String words(StartHour hour) {
        StringBuilder text = new StringBuilder(HOUR.format(hour.hour()))
                .append(" UTC: ")
                .append(Figures.count(hour.starts(), "start", "starts"));
        for (String kind : CLASSES) {
            long starts = hour.byClass().getOrDefault(kind, 0L);
            if (starts > 0) {
                text.append(", ").append(starts).append(' ').append(kind);
            }
        }
        Long median = hour.medianMicros();
        if (median != null) {
            text.append("; cold ones ").append(Figures.millis(median / 1000.0)).append(" in the median");
        }
        return text.append("; ")
                .append(Figures.bytes((double) hour.bytes()))
                .append(" moved")
                .toString();
    }
}
