package io.faasimage.node.pull;

import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Fetches of single objects, each with one request, which it publishes. Thread-safe; on the calling thread. */
final class Singles {
    private final ServiceLink link;
    private final ObjectSink sink;

    Singles(ServiceLink link, ObjectSink sink) {
        this.link = link;
        this.sink = sink;
    }

    /**
     * Fetches an object of a plan.
     *
     * @param guard put around the network's stream
     * @throws CorruptObjectException when it came damaged
     * @throws io.faasimage.store.object.StoreException when the disk is full or fails
     * @throws IOException when it did not come
     */
    void fetch(PlanObject object, UnaryOperator<InputStream> guard) throws IOException {
        fetch(object.digest(), object.size(), guard);
    }

    /** Fetches an object of which only the digest is known. */
    void fetch(Digest digest, UnaryOperator<InputStream> guard) throws IOException {
        fetch(digest, ObjectStore.UNKNOWN_SIZE, guard);
    }

    private void fetch(Digest digest, long size, UnaryOperator<InputStream> guard) throws IOException {
        Optional<InputStream> packed = sink.packed(digest);
        if (packed.isPresent()) {
            sink.publish(digest, size, packed.get(), true);
            return;
        }
        Optional<ObjectContent> content = link.object(digest);
        if (content.isEmpty()) {
            throw new UnknownObjectException(digest);
        }
        sink.publish(
                digest, size, guard.apply(content.get().body()), content.get().zstd());
    }
}
