package io.faasimage.node.agent.metrics;

import io.faasimage.node.pull.Demand;
import io.faasimage.node.pull.Pulls;

/** The metrics of the pulls that run, and of objects that reads waited for. */
public final class DemandMetrics extends Meters {
    /** Those of {@code pulls}. */
    public DemandMetrics(Pulls pulls) {
        Demand demand = pulls.demand();
        gauge("pulls_running", "pulls under way", () -> pulls.running().size());
        count(
                "demand_waited",
                "reads that waited for an object already on its way",
                () -> demand.counts().waited());
        count(
                "demand_fetched",
                "objects fetched because they were read",
                () -> demand.counts().fetched());
        count(
                "demand_layers",
                "reads whose object came out of image layers, as the service did not send it",
                () -> demand.counts().layers());
        count(
                "demand_bytes",
                "compressed bytes of objects fetched because they were read",
                () -> demand.counts().bytes());
    }
}
