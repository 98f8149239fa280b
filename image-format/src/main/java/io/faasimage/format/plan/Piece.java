package io.faasimage.format.plan;

import io.faasimage.format.id.Digest;
import java.util.List;

/**
 * Chunks of a large object, one behind the other, as an object of their own: it is stored, sent and verified like any
 * other.
 *
 * @param digest of these bytes
 * @param chunks which chunks of the large object, counted from 0: ascending, with a gap between any two ranges
 */
public record Piece(Digest digest, List<IndexRange> chunks) {
    /** Copies the list, and checks its order. */
    public Piece {
        chunks = IndexRanges.checked(chunks);
        if (chunks.isEmpty()) {
            throw new IllegalArgumentException("piece " + digest + " has no chunks");
        }
    }

    /**
     * Its size in bytes.
     *
     * @param chunkBytes size of a chunk
     * @param objectBytes size of the large object, whose last chunk may be shorter
     */
    public long size(int chunkBytes, long objectBytes) {
        long size = 0;
        for (IndexRange range : chunks) {
            size += Math.min(objectBytes, (long) range.to() * chunkBytes) - (long) range.from() * chunkBytes;
        }
        return size;
    }
}
