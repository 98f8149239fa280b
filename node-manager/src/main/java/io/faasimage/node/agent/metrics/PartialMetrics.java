package io.faasimage.node.agent.metrics;

import io.faasimage.format.id.Digest;
import io.faasimage.node.plans.partial.PartialLayers;

/** The metrics of large objects that containers have in parts. */
public final class PartialMetrics extends Meters {
    private final PartialLayers layers;

    /** Measures {@code layers}. */
    public PartialMetrics(PartialLayers layers) {
        this.layers = layers;
        gauges("partial_objects", "large objects of mounted partial layers, by state", this::objects, "state");
        count("partial_mounts", "partial layers mounted by this agent", layers::mounts);
    }

    private void objects(Sink sink) {
        int all = 0;
        int partial = 0;
        for (Digest plan : layers.plans()) {
            all += layers.objects(plan);
            partial += layers.partialObjects(plan);
        }
        sink.take(partial, "partial");
        sink.take(all - partial, "whole");
    }
}
