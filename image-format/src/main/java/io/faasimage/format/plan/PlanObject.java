package io.faasimage.format.plan;

import io.faasimage.format.id.Digest;

/**
 * One object of a plan.
 *
 * @param digest of the content
 * @param size of the content in bytes, positive
 * @param segment the segment that fetches it
 * @param library index into {@link Plan#libraries()}, or -1 when it belongs to none
 */
public record PlanObject(Digest digest, long size, Segment segment, int library) {
    /** Checks size and that exactly library objects name a library. */
    public PlanObject {
        if (size <= 0) {
            throw new IllegalArgumentException("object size must be positive: " + size);
        }
        if ((segment == Segment.LIB) != (library >= 0)) {
            throw new IllegalArgumentException("a library index goes with the lib segment: " + library);
        }
    }
}
