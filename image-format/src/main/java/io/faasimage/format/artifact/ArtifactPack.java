package io.faasimage.format.artifact;

import io.faasimage.format.id.Digest;
import java.util.List;

/**
 * A blob of frames beside an image, and what a plan finds in it. Where a frame is needs no signature: from a wrong
 * place comes a frame whose digest the plan does not have.
 *
 * @param blob its digest
 * @param size of the blob, bytes
 * @param runs by offset, without overlaps; what lies between them is of other plans
 */
public record ArtifactPack(Digest blob, long size, List<FrameRun> runs) {
    private static final long MAX_BYTES = 1L << 40;

    /** Copies the list, and checks the order. */
    public ArtifactPack {
        runs = List.copyOf(runs);
        long end = 0;
        for (FrameRun run : runs) {
            if (run.offset() < end || run.end() > size) {
                throw new IllegalArgumentException(
                        "a run at " + run.offset() + " to " + run.end() + " behind " + end + " in " + size + " bytes");
            }
            end = run.end();
        }
        if (size < 1 || size > MAX_BYTES) {
            throw new IllegalArgumentException("a pack of " + size + " bytes");
        }
    }

    /** Bytes that are of the plan. */
    public long bytes() {
        return runs.stream().mapToLong(FrameRun::length).sum();
    }
}
