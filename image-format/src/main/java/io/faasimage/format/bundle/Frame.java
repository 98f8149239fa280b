package io.faasimage.format.bundle;

import io.faasimage.format.id.Digest;
import java.io.InputStream;

/** One frame of a bundle, as {@link BundleReader} gives it. */
public sealed interface Frame {
    /**
     * The plan; its bytes have the digest.
     *
     * @param digest the plan's name
     * @param encoded to be decoded by {@code PlanCodec}; not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent")
    record PlanFrame(Digest digest, byte[] encoded) implements Frame {}

    /**
     * A metadata image.
     *
     * @param digest of the raw content, which nobody has checked yet
     * @param rawSize of the content, bytes
     * @param storedSize of the payload, bytes
     * @param payload the content as one zstd stream; ends after {@code storedSize} bytes, is valid until the next frame is
     *     asked for, and throws FormatException when the bundle is cut off
     */
    record MetadataFrame(Digest digest, long rawSize, long storedSize, InputStream payload) implements Frame {}

    /**
     * An object.
     *
     * @param digest of the raw content, which nobody has checked yet
     * @param rawSize of the content, bytes
     * @param storedSize of the payload, bytes
     * @param payload the content as one zstd stream; ends after {@code storedSize} bytes, is valid until the next frame is
     *     asked for, and throws FormatException when the bundle is cut off
     */
    record ObjectFrame(Digest digest, long rawSize, long storedSize, InputStream payload) implements Frame {}

    /**
     * The sender gave up; the last frame of its bundle.
     *
     * @param message why, for people
     */
    record ErrorFrame(String message) implements Frame {}

    /**
     * The bundle is complete; the last frame.
     *
     * @param frames number of frames before this one
     * @param storedBytes sum of their payloads, bytes
     */
    record EndFrame(long frames, long storedBytes) implements Frame {}
}
