package io.faasimage.format.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;

/**
 * One prefix of the image's layers and the metadata image that shows the root file system up to there.
 *
 * @param chainId of the prefix
 * @param metadata digest of the EROFS metadata image
 * @param metadataSize its size in bytes, positive
 */
public record PlanLayer(ChainId chainId, Digest metadata, long metadataSize) {
    /** Checks that the size is positive. */
    public PlanLayer {
        if (metadataSize <= 0) {
            throw new IllegalArgumentException("size of a metadata image must be positive: " + metadataSize);
        }
    }
}
