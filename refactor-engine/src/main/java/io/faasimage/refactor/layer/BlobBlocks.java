package io.faasimage.refactor.layer;

import io.faasimage.format.id.Digest;
import java.util.List;

/**
 * The blocks of a layer's blob as stored, by their digests: a source that gives a random one has the blob.
 *
 * @param size of the blob, bytes
 * @param digests of its blocks of {@link #BLOCK} bytes each, the last one may be shorter
 */
public record BlobBlocks(long size, List<Digest> digests) {
    /** Bytes of a block. */
    public static final int BLOCK = 128 << 10;

    /** Copies the list and checks that it covers the size. */
    public BlobBlocks {
        digests = List.copyOf(digests);
        if (size < 0 || digests.size() != Math.ceilDiv(size, (long) BLOCK)) {
            throw new IllegalArgumentException(
                    "a blob of " + size + " bytes does not have " + digests.size() + " blocks");
        }
    }

    /** Where a block begins. */
    public long offset(int number) {
        return (long) number * BLOCK;
    }

    /** The length of a block, bytes. */
    public int length(int number) {
        return (int) Math.min(BLOCK, size - offset(number));
    }
}
