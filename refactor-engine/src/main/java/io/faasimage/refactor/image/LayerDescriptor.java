package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;

/**
 * One layer blob as the manifest names it.
 *
 * @param digest of the blob as stored (compressed or not)
 * @param size of the blob in bytes
 * @param mediaType as the manifest says; the content decides about the compression
 */
public record LayerDescriptor(Digest digest, long size, String mediaType) {
    /** Checks the size. */
    public LayerDescriptor {
        if (size < 0) {
            throw new IllegalArgumentException("negative layer size: " + size);
        }
    }
}
