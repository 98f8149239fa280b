package io.faasimage.node.lookup;

import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.plan.MetadataImages;
import io.faasimage.node.service.ServiceLink;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * Requests to the service for single metadata images, which are stored. Thread-safe; answered within a limited time.
 */
final class MetadataLookup {
    private final ServiceLink link;
    private final MetadataImages images;
    private final Duration limit;

    MetadataLookup(ServiceLink link, MetadataImages images, Duration limit) {
        this.link = link;
        this.images = images;
        this.limit = limit;
    }

    /** Fetches the metadata image of {@code layer}, unless it is here. */
    void need(PlanLayer layer) throws IOException {
        if (!images.has(layer.metadata())) {
            Callable<Boolean> fetch = () -> fetch(layer);
            FutureTask<Boolean> task = new FutureTask<>(fetch);
            Thread.ofVirtual().name("metadata").start(task);
            TaskWait.await(task, "the metadata image " + layer.metadata(), limit);
        }
    }

    private boolean fetch(PlanLayer layer) throws IOException {
        Optional<ObjectContent> content = link.object(layer.metadata());
        if (content.isEmpty()) {
            throw new IOException("the service does not have it");
        }
        images.save(
                layer.metadata(),
                layer.metadataSize(),
                content.get().body(),
                content.get().zstd());
        return true;
    }
}
