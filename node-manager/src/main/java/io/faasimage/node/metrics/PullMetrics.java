package io.faasimage.node.metrics;

import io.faasimage.format.plan.Segment;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.pull.SegmentReport;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.concurrent.TimeUnit;

/** The metrics of pulls, and of objects that reads waited for. */
public final class PullMetrics implements Measured {
    /** From the time of a look-up in memory to the longest wait of a start. */
    private static final double[] WAITS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60};

    private final Meters meters = new Meters();
    private final Counter objects =
            meters.counter("pulled_objects", "objects that pulls brought, by segment", "segment");
    private final Counter bytes =
            meters.counter("pulled_bytes", "compressed bytes that pulls brought, by segment", "segment");
    private final Counter incomplete = meters.counter("pulls_incomplete", "pulls that ended with objects missing");
    private final Histogram waits =
            meters.seconds("demand_wait_seconds", "how long reads waited for an object that was not here", WAITS);
    private final Histogram pullSeconds =
            meters.seconds("pull_seconds", "how long pulls took, by what they brought", Meters.DURATIONS, "set");

    /** Measures {@code pulls} from now on. */
    public PullMetrics(Pulls pulls) {
        // A series that begins with its first event would hide that event from Prometheus.
        for (Segment segment : Segment.values()) {
            objects.initLabelValues(segment.label());
            bytes.initLabelValues(segment.label());
        }
        for (Part part : Part.values()) {
            pullSeconds.initLabelValues(part.label());
        }
        meters.gauge("pulls_running", "pulls under way", () -> pulls.running().size());
        demand(pulls.demand());
        pulls.listen(this::pulled);
        pulls.demand().measure(nanos -> waits.observe(seconds(nanos)));
    }

    @Override
    public Meters meters() {
        return meters;
    }

    private void demand(Demand demand) {
        meters.count(
                "demand_waited",
                "reads that waited for an object already on its way",
                () -> demand.counts().waited());
        meters.count(
                "demand_fetched",
                "objects fetched because they were read",
                () -> demand.counts().fetched());
        meters.count(
                "demand_bytes",
                "compressed bytes of objects fetched because they were read",
                () -> demand.counts().bytes());
    }

    private void pulled(PullReport report) {
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
