package io.faasimage.node.agent.metrics;

import io.faasimage.node.containerd.catalogue.Catalogue;
import io.faasimage.node.containerd.catalogue.Kept;

/** The metrics of the catalogue. */
public final class CatalogueMetrics extends Meters {
    private final Catalogue catalogue;

    /** Measures {@code catalogue}. */
    public CatalogueMetrics(Catalogue catalogue) {
        this.catalogue = catalogue;
        gauges("catalogue_images", "images of the catalogue, by state", this::images, "state");
        gauge(
                "catalogue_bytes",
                "bytes of plans and metadata images of the catalogue",
                () -> catalogue.kept().bytes());
    }

    private void images(Sink sink) {
        Kept kept = catalogue.kept();
        sink.take(kept.ready(), "ready");
        sink.take(kept.wanted() - kept.ready(), "missing");
    }
}
