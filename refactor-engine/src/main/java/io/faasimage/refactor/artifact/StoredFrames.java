package io.faasimage.refactor.artifact;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import java.io.IOException;
import java.io.OutputStream;

/** The stored frames of a plan's prefetch list. */
@FunctionalInterface
public interface StoredFrames {
    /** Copies neighbouring frames of an object; the caller verifies nothing. */
    void copy(Digest object, IndexRange frames, OutputStream out) throws IOException;
}
