package io.faasimage.node.agent.metrics;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/**
 * All metrics of this node, including those of its gate, which has no port. Counters of the parts are read at a scrape;
 * only distributions are recorded when something happens. No label has a value that a user can choose. Thread-safe.
 */
public final class NodeMetrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<Meters> parts;

    /** The metrics of {@code parts}. */
    public NodeMetrics(List<Meters> parts) {
        this.parts = List.copyOf(parts);
        parts.forEach(part -> part.registerWith(registry));
    }

    /** All values now; the gate's own are requested from it, for a bounded time. One at a time. */
    public synchronized MetricSnapshots scrape() {
        parts.forEach(Meters::refresh);
        return registry.scrape();
    }
}
