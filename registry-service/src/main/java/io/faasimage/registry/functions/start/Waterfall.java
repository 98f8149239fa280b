package io.faasimage.registry.functions.start;

import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.start.DemandFetch;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.registry.access.page.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The phases of one start as a picture; 1000 units are the time until the function was ready, or else until its program
 * started, and as much again at most: files that came long afterwards are at the right edge.
 *
 * @param rows from top to bottom
 * @param ticks of the time's axis, in words
 * @param absent steps that were not measured
 * @param mayStart where the container could start; null when not known
 * @param cut whether something was later than the right edge
 */
public record Waterfall(
        List<Row> rows,
        List<String> ticks,
        List<String> absent,
        @Nullable String mayStart,
        boolean cut) {
    private static final double WIDTH = 1000;
    private static final double THINNEST = 2.5;
    private static final int TICKS = 4;

    /**
     * One thing that took a while, or several of one kind.
     *
     * @param name of it
     * @param kind of its colour
     * @param spans when it went on
     * @param begin in words
     * @param took in words
     */
    public record Row(String name, String kind, List<Span> spans, String begin, String took) {
        public Row {
            spans = List.copyOf(spans);
        }
    }

    /**
     * A while.
     *
     * @param x where it begins
     * @param width of it
     * @param text the same in words
     */
    public record Span(String x, String width, String text) {}

    public Waterfall {
        rows = List.copyOf(rows);
        ticks = List.copyOf(ticks);
        absent = List.copyOf(absent);
    }

    /** The picture of a start. */
    public static Waterfall of(StartRecord start) {
        StartPhases phases = start.phases();
        Long took = phases.ready() == null ? start.startMicros() : phases.ready();
        long last = start.lastMicros();
        long end = nice(Math.max(1000, took == null ? last : Math.min(last, 2 * took)));
        Builder rows = new Builder(end);
        rows.phase("Service requested, first byte", phases.asked(), phases.firstByte());
        rows.phase("Plan and metadata image", phases.firstByte(), phases.planned());
        rows.phase("Metadata mounted", phases.requested(), phases.mounted());
        rows.phase("Root file system", phases.beginOfMayStart(), phases.mayStart());
        rows.phase("Container created", phases.mayStart(), phases.created());
        rows.phase("First process", phases.beginOfFirstProcess(), phases.firstProcess());
        rows.phase("Ready", phases.beginOfReady(), phases.ready());
        for (String name : List.of("func", "lib", "base")) {
            start.segments().stream()
                    .filter(segment -> segment.segment().equals(name))
                    .forEach(rows::segment);
        }
        rows.phase("Last object of the prefetch list", phases.mayStart(), phases.lastObject());
        rows.demands(start);
        List<String> ticks = new ArrayList<>();
        for (int i = 0; i <= TICKS; i++) {
            ticks.add(i == 0 ? "0" : Figures.millis(end / 1000.0 * i / TICKS));
        }
        @Nullable Long mayStart = phases.mayStart();
        return new Waterfall(rows.rows, ticks, rows.absent, mayStart == null ? null : rows.place(mayStart), last > end);
    }

    /** The next time whose quarters are round. */
    private static long nice(long micros) {
        double unit = Math.pow(10, Math.floor(Math.log10((double) micros)));
        for (double step : new double[] {1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10}) {
            if (step * unit >= micros) {
                return Math.round(step * unit);
            }
        }
        return Math.round(10 * unit);
    }

    private static final class Builder {
        private final List<Row> rows = new ArrayList<>();
        private final List<String> absent = new ArrayList<>();
        private final double scale;

        Builder(long end) {
            this.scale = WIDTH / (double) end;
        }

        String place(double micros) {
            return String.format(Locale.ROOT, "%.1f", micros * scale);
        }

        private Span span(long begin, long end, String text) {
            double width = Math.max(THINNEST, Math.min(WIDTH, end * scale) - begin * scale);
            double x = Math.min(begin * scale, WIDTH - width);
            return new Span(String.format(Locale.ROOT, "%.1f", x), String.format(Locale.ROOT, "%.1f", width), text);
        }

        void phase(String name, @Nullable Long begin, @Nullable Long end) {
            if (end == null) {
                absent.add(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
                return;
            }
            long from = begin == null ? 0 : Math.min(begin, end);
            add(name, "phase", List.of(span(from, end, name)), from, end - from, "");
        }

        void segment(SegmentPull segment) {
            Long begin = segment.begin();
            Long end = segment.end();
            String what = Figures.count(segment.objects(), "object", "objects") + ", "
                    + Figures.bytes((double) segment.bytes());
            if (begin == null || end == null) {
                return;
            }
            add(
                    segment.segment() + ": " + what,
                    segment.segment(),
                    List.of(span(begin, end, what)),
                    begin,
                    end - begin,
                    "");
        }

        void demands(StartRecord start) {
            if (start.demands().isEmpty()) {
                return;
            }
            List<Span> spans = start.demands().stream()
                    .map(demand -> span(
                            demand.at(),
                            demand.at() + demand.waited(),
                            (demand.path() == null ? demand.object() : demand.path()) + ", "
                                    + Figures.millis(demand.waited() / 1000.0)))
                    .toList();
            long waited =
                    start.demands().stream().mapToLong(DemandFetch::waited).sum();
            long first =
                    start.demands().stream().mapToLong(DemandFetch::at).min().orElse(0);
            add(
                    "On demand: " + Figures.count(start.demanded(), "object", "objects"),
                    "misses",
                    spans,
                    first,
                    waited,
                    " in all");
        }

        private void add(String name, String kind, List<Span> spans, long begin, long took, String suffix) {
            rows.add(
                    new Row(name, kind, spans, Figures.millis(begin / 1000.0), Figures.millis(took / 1000.0) + suffix));
        }
    }
}
