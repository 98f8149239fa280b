package io.faasimage.builder.layer;

import io.faasimage.format.id.Digest;
import java.nio.file.Path;

/**
 * A layer on the local disk.
 *
 * @param blob the compressed tar
 * @param digest of the blob
 * @param size of the blob in bytes
 * @param diffId digest of the plain tar
 * @param entries in the tar
 */
public record LayerFile(Path blob, Digest digest, long size, Digest diffId, int entries) {
    /** True when there is nothing in it. */
    public boolean isEmpty() {
        return entries == 0;
    }
}
