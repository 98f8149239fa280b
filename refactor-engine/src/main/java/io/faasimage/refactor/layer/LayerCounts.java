package io.faasimage.refactor.layer;

/**
 * One layer's share of an image's limits.
 *
 * @param bytes uncompressed
 * @param entries of its archive
 * @param metadataBytes of names, link targets and extended attributes
 * @param skippedXattrs extended attributes that were left out
 */
public record LayerCounts(long bytes, long entries, long metadataBytes, long skippedXattrs) {
    /** Checks that nothing is negative. */
    public LayerCounts {
        if (bytes < 0 || entries < 0 || metadataBytes < 0 || skippedXattrs < 0) {
            throw new IllegalArgumentException("counts of a layer are negative");
        }
    }
}
