package io.faasimage.format.trace;

/**
 * A part of a file.
 *
 * @param offset first byte, from 0
 * @param length number of bytes, positive
 */
public record ByteRange(long offset, long length) {
    /** Checks that the range is not empty and does not overflow. */
    public ByteRange {
        if (offset < 0 || length <= 0 || offset + length < 0) {
            throw new IllegalArgumentException("not a byte range: " + offset + "+" + length);
        }
    }
}
