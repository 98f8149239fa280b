package io.faasimage.node.agent.metrics;

import io.faasimage.format.plan.Segment;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullListener;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.SegmentReport;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.concurrent.TimeUnit;

/** The metrics of pulls and look-ups that have ended. */
public final class PullMetrics extends Meters implements PullListener {
    /** From the time of a look-up in memory to the longest wait of a start. */
    private static final double[] WAITS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60};

    private final Counter objects = counter("pulled_objects", "objects that pulls brought, by segment", "segment");
    private final Counter bytes = counter("pulled_bytes", "compressed bytes that pulls brought, by segment", "segment");
    private final Counter incomplete = counter("pulls_incomplete", "pulls that ended with objects missing");
    private final Histogram waits =
            seconds("demand_wait_seconds", "how long reads waited for an object that was not here", WAITS);
    private final Histogram pullSeconds =
            seconds("pull_seconds", "how long pulls took, by what they brought", DURATIONS, "set");

    /** No pull yet. */
    public PullMetrics() {
        // A series that begins with its first event would hide that event from Prometheus.
        for (Segment segment : Segment.values()) {
            objects.initLabelValues(segment.label());
            bytes.initLabelValues(segment.label());
        }
        for (Part part : Part.values()) {
            pullSeconds.initLabelValues(part.label());
        }
    }

    @Override
    public void waited(long nanos) {
        waits.observe(seconds(nanos));
    }

    @Override
    public void ended(PullReport report) {
        pullSeconds
                .labelValues(report.part().label())
                .observe(seconds(report.took().toNanos()));
        for (SegmentReport segment : report.segments()) {
            objects.labelValues(segment.segment().label()).inc(segment.objects());
            bytes.labelValues(segment.segment().label()).inc(segment.storedBytes());
        }
        if (!report.complete()) {
            incomplete.inc();
        }
    }

    private static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
