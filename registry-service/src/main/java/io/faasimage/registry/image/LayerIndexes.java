package io.faasimage.registry.image;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** The stored indexes of layers that were read. Stateless. */
public final class LayerIndexes {
    private LayerIndexes() {}

    /** The bytes of the index that was made of this layer blob, if any. */
    public static Optional<byte[]> find(BlobStore blobs, Digest layer) throws IOException {
        try {
            return Optional.of(blobs.read(Blob.layer(layer)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
