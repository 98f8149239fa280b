package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;

/**
 * The location of a stored object.
 *
 * @param digest of the content
 * @param pack file name of the pack in the output directory
 * @param offset of its first frame in the pack, bytes
 * @param rawSize of the content, bytes
 * @param frames in which it is stored
 */
public record ObjectLocation(Digest digest, String pack, long offset, long rawSize, ObjectFrames frames) {
    /** Bytes of its frames. */
    public long storedSize() {
        return frames.storedSize();
    }
}
