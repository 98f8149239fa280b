package io.faasimage.registry.images.image;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The stored indexes of layers that were read, as far as they are trusted. Thread-safe. */
@Component
public class LayerIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(LayerIndexes.class);

    private final BlobStore blobs;
    private final Trust trust;

    /** The check of which indexes may stand for their layers. */
    @FunctionalInterface
    interface Trust {
        /** Whether this service has made the index with this digest of the layer. */
        boolean isTrusted(Digest layer, Digest index);
    }

    LayerIndexes(BlobStore blobs, Trust trust) {
        this.blobs = blobs;
        this.trust = trust;
    }

    /** The bytes of the index that was made of this layer blob, if any. */
    public Optional<byte[]> find(Digest layer) throws IOException {
        byte[] index;
        try {
            index = blobs.read(Blob.layer(layer));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (!trust.isTrusted(layer, Digest.of(index))) {
            LOG.warn("layer {} is read again: its stored index has no signature of this service", layer);
            return Optional.empty();
        }
        return Optional.of(index);
    }
}
