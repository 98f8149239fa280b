package io.faasimage.format.artifact;

/**
 * A run of frames in a pack, one behind the other, with neighbouring numbers in a plan.
 *
 * @param from the first one's number in the plan ({@link io.faasimage.format.plan.PlanNumbers})
 * @param count how many, positive
 * @param offset of the first one in the pack, bytes
 * @param length of all, bytes, positive
 */
public record FrameRun(int from, int count, long offset, long length) {
    /** Checks the ranges. */
    public FrameRun {
        if (from < 0
                || count < 1
                || from > Integer.MAX_VALUE - count
                || offset < 0
                || length < count
                || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "a run of " + count + " frames from " + from + ", " + length + " bytes at " + offset);
        }
    }

    /** The number after the last one's. */
    public int to() {
        return from + count;
    }

    /** Where the last one ends, bytes. */
    public long end() {
        return offset + length;
    }
}
