package io.faasimage.node.metrics;

import io.faasimage.format.id.Digest;
import io.faasimage.node.partial.PartialLayers;

/** The metrics of large objects that containers have in parts. */
public final class PartialMetrics implements Measured {
    private final Meters meters = new Meters();
    private final PartialLayers layers;

    /** Measures {@code layers}. */
    public PartialMetrics(PartialLayers layers) {
        this.layers = layers;
        meters.gauges("partial_objects", "large objects of mounted partial layers, by state", this::objects, "state");
        meters.count("partial_mounts", "partial layers mounted by this agent", layers::mounts);
    }

    @Override
    public Meters meters() {
        return meters;
    }

    private void objects(Meters.Sink sink) {
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
