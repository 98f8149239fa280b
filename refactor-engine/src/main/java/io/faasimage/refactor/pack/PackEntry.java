package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;

/**
 * One object of a pack.
 *
 * @param digest of the content
 * @param offset of its zstd frame in the pack
 * @param storedSize of the frame in bytes, positive
 * @param rawSize of the content in bytes, positive
 */
public record PackEntry(Digest digest, long offset, long storedSize, long rawSize) {
    /** Checks the numbers. */
    public PackEntry {
        if (offset < 0 || storedSize <= 0 || rawSize <= 0 || offset + storedSize < 0) {
            throw new IllegalArgumentException("pack entry out of range: " + offset + "+" + storedSize);
        }
    }
}
