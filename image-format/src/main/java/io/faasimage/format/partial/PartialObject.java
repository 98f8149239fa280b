package io.faasimage.format.partial;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.IndexRanges;
import java.util.List;

/**
 * A large object of which some chunks are known to be needed.
 *
 * @param digest of its content
 * @param size of its content, bytes
 * @param chunks which chunks, counted from 0: ascending, with a gap between any two ranges
 */
public record PartialObject(Digest digest, long size, List<IndexRange> chunks) {
    /** Checks the order of the ranges, and copies the list. */
    public PartialObject {
        chunks = IndexRanges.checked(chunks);
    }
}
