package io.faasimage.format.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;

/**
 * An object that has a place in a pack.
 *
 * @param digest of the content
 * @param size of the content in bytes, positive
 * @param frames in which it is stored
 */
public record PackedObject(Digest digest, long size, ObjectFrames frames) {
    /** Checks that the frames are those of an object of that size. */
    public PackedObject {
        if (frames.count() != ObjectFrames.count(size)) {
            throw new IllegalArgumentException("object " + digest + " has frames of another size");
        }
    }
}
