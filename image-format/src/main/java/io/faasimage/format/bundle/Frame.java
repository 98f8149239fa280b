package io.faasimage.format.bundle;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.InputStream;
import java.util.List;

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
     * @param digest of the raw content, not verified yet
     * @param rawSize of the content, bytes
     * @param storedSize of the payload, bytes
     * @param payload the content as one zstd stream; ends after {@code storedSize} bytes, is valid until the next frame
     *     is requested, and throws FormatException when the bundle is cut off
     */
    record MetadataFrame(Digest digest, long rawSize, long storedSize, InputStream payload) implements Frame {}

    /**
     * The plan, as its difference to another one; sent only to a receiver that has named that.
     *
     * @param delta that gives {@code PlanCodec}'s form
     */
    record PlanDeltaFrame(Delta delta) implements Frame {}

    /**
     * A metadata image, as its difference to another one; sent only to a receiver that has named that one's plan.
     *
     * @param delta that gives the raw content
     */
    record MetadataDeltaFrame(Delta delta) implements Frame {}

    /**
     * An object.
     *
     * @param digest of the raw content, not verified yet
     * @param rawSize of the content, bytes
     * @param storedSize of the whole zstd stream, bytes
     * @param offset number of bytes that the receiver reported to have, which are left out; 0 as a rule
     * @param payload the zstd stream from {@code offset} on; ends after {@code storedSize - offset} bytes, is valid
     *     until the next frame is requested, and throws FormatException when the bundle is cut off
     */
    record ObjectFrame(Digest digest, long rawSize, long storedSize, long offset, InputStream payload)
            implements Frame {}

    /**
     * Frames of an object of the plan's prefetch list, one behind the other.
     *
     * @param digest of the object's content
     * @param first which of its frames is the first one here
     * @param storedSize of the payload, bytes
     * @param payload the frames, not verified yet; ends after {@code storedSize} bytes, is valid until the next frame
     *     of the bundle is requested, and throws FormatException when the bundle is cut off
     */
    record FramesFrame(Digest digest, int first, long storedSize, InputStream payload) implements Frame {}

    /**
     * What this bundle brings of the plan.
     *
     * @param selection by {@link io.faasimage.format.plan.PlanNumbers}
     */
    record SelectedFrame(Selection selection) implements Frame {}

    /**
     * Layers that belong to planned images: the receiver requested one that is in several.
     *
     * @param chains their chain IDs
     */
    record ChainsFrame(List<ChainId> chains) implements Frame {
        public ChainsFrame {
            chains = List.copyOf(chains);
        }
    }

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
