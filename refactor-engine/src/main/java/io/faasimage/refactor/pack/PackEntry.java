package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;

/**
 * One object of a pack.
 *
 * @param digest of the content
 * @param offset of its first frame in the pack
 * @param rawSize of the content in bytes, positive
 * @param frames in which it is stored
 */
public record PackEntry(Digest digest, long offset, long rawSize, ObjectFrames frames) {
    /** Checks the numbers. */
    public PackEntry {
        if (offset < 0 || frames.count() != ObjectFrames.count(rawSize)) {
            throw new IllegalArgumentException("pack entry out of range: " + rawSize + " bytes at " + offset);
        }
    }

    /** Bytes of its frames. */
    public long storedSize() {
        return frames.storedSize();
    }
}
