package io.faasimage.format.bundle;

/** The computation of a bundle's length before it is written. Not thread-safe. */
public final class BundleSize {
    private long bytes = FrameHeader.STREAM_HEADER_BYTES + (long) FrameHeader.BYTES;

    /**
     * Adds a frame.
     *
     * @param payload its length, bytes; for an object with an offset only the bytes that are sent
     */
    public BundleSize frame(long payload) {
        bytes = Math.addExact(bytes, Math.addExact(FrameHeader.BYTES, payload));
        return this;
    }

    /** Length of the whole bundle, its header and end among it, bytes. */
    public long bytes() {
        return bytes;
    }
}
