package io.faasimage.node.pull;

import io.faasimage.format.plan.Segment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counters of the objects and bytes that a pull fetched of each segment. Thread-safe. */
final class SegmentCounts {
    private final Map<Segment, Count> counts = new EnumMap<>(Segment.class);

    private static final class Count {
        private long stored;
        private int objects;
        private long first;
        private long last;
    }

    synchronized void stored(Segment segment, long bytes) {
        counts.computeIfAbsent(segment, s -> new Count()).stored += bytes;
    }

    synchronized void published(Segment segment) {
        Count count = counts.computeIfAbsent(segment, s -> new Count());
        count.objects++;
        count.last = System.nanoTime();
        count.first = count.objects == 1 ? count.last : count.first;
    }

    /** One for each segment of which something came. */
    synchronized List<SegmentReport> reports(long begin) {
        List<SegmentReport> reports = new ArrayList<>();
        counts.forEach((segment, count) -> reports.add(new SegmentReport(
                segment,
                count.stored,
                count.objects,
                count.objects == 0 ? Duration.ZERO : Duration.ofNanos(count.first - begin),
                count.objects == 0 ? Duration.ZERO : Duration.ofNanos(count.last - begin))));
        return reports;
    }
}
