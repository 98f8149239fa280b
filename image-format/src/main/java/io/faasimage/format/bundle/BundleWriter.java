package io.faasimage.format.bundle;

import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A writer of a bundle to a stream, which it neither buffers, flushes nor closes. After {@link #end} or {@link #error}
 * nothing more may follow. Not thread-safe.
 */
public final class BundleWriter {
    /** Media type of a bundle. */
    public static final String MEDIA_TYPE = "application/vnd.faasimage.bundle";

    /** Longest error message, bytes of UTF-8; a longer one is cut. */
    public static final int MAX_ERROR_BYTES = 16 * 1024;

    /** Most chain IDs that one bundle names. */
    public static final int MAX_CHAINS = 4096;

    private final OutputStream out;
    private final CRC32C running = new CRC32C();
    private long frames;
    private long storedBytes;
    private boolean ended;

    /** Starts a bundle by writing its header to {@code out}. */
    public BundleWriter(OutputStream out) throws IOException {
        this.out = out;
        out.write(FrameHeader.streamHeader(running));
    }

    /** Appends a plan in the form that {@code PlanCodec} gives it. */
    public void plan(byte[] encodedPlan) throws IOException {
        document(FrameHeader.PLAN, encodedPlan);
    }

    /** Appends a plan as its difference to one that the receiver has named. */
    public void planDelta(Delta delta) throws IOException {
        delta(FrameHeader.PLAN_DELTA, delta);
    }

    /** Appends a metadata image as its difference to that of a plan which the receiver has named. */
    public void metadataDelta(Delta delta) throws IOException {
        delta(FrameHeader.METADATA_DELTA, delta);
    }

    private void delta(int type, Delta delta) throws IOException {
        byte[] payload = delta.encode();
        head(new FrameHeader(type, delta.digest(), delta.size(), payload.length, 0));
        out.write(payload);
    }

    /** Appends which of the plan's objects follow. */
    public void selected(Selection selection) throws IOException {
        document(FrameHeader.SELECTED, selection.encode());
    }

    /**
     * Appends the chain IDs by which the receiver recognizes the images of its next layers; {@value #MAX_CHAINS} at
     * most.
     */
    public void chains(List<ChainId> chains) throws IOException {
        if (chains.size() > MAX_CHAINS) {
            throw new IllegalArgumentException(chains.size() + " chains, the limit is " + MAX_CHAINS);
        }
        ByteWriter payload = new ByteWriter(chains.size() * Digest.BYTES);
        chains.forEach(chain -> payload.digest(chain.digest()));
        document(FrameHeader.CHAINS, payload.toBytes());
    }

    /**
     * Appends a metadata image.
     *
     * @param digest of the raw content
     * @param rawSize of the content, bytes, positive
     * @param zstdPayload the content as one zstd stream; not closed
     * @param storedSize of the payload, bytes, positive
     * @throws IOException also when the payload has fewer bytes; the bundle is of no use then
     */
    public void metadata(Digest digest, long rawSize, long storedSize, InputStream zstdPayload) throws IOException {
        metadataHeader(digest, rawSize, storedSize);
        copy(digest, storedSize, zstdPayload);
    }

    /** As {@link #metadata}, but the caller writes the {@code storedSize} bytes of the payload to the stream itself. */
    public void metadataHeader(Digest digest, long rawSize, long storedSize) throws IOException {
        contentHead(FrameHeader.METADATA, digest, rawSize, storedSize, 0);
    }

    /**
     * Appends an object.
     *
     * @param digest of the raw content
     * @param rawSize of the content, bytes, positive
     * @param zstdPayload the content as one zstd stream; not closed
     * @param storedSize of the payload, bytes, positive
     * @throws IOException also when the payload has fewer bytes; the bundle is of no use then
     */
    public void object(Digest digest, long rawSize, long storedSize, InputStream zstdPayload) throws IOException {
        objectHeader(digest, rawSize, storedSize);
        copy(digest, storedSize, zstdPayload);
    }

    /**
     * As {@link #object}, but the caller writes the {@code storedSize} bytes of the payload to the stream itself, for
     * instance by {@code FileChannel.transferTo}.
     */
    public void objectHeader(Digest digest, long rawSize, long storedSize) throws IOException {
        objectHeader(digest, rawSize, storedSize, 0);
    }

    /**
     * As {@link #objectHeader(Digest, long, long)}, for a receiver that has the first {@code offset} bytes of the
     * payload already: the caller writes only the {@code storedSize - offset} that follow them.
     */
    public void objectHeader(Digest digest, long rawSize, long storedSize, long offset) throws IOException {
        contentHead(FrameHeader.OBJECT, digest, rawSize, storedSize, offset);
    }

    /**
     * Appends the head of some frames of an object of the prefetch list, one behind the other, of which {@code first}
     * is the first one; the caller writes their {@code storedSize} bytes to the stream itself.
     */
    public void framesHeader(Digest object, int first, long storedSize) throws IOException {
        if (first < 0 || storedSize <= 0) {
            throw new IllegalArgumentException(storedSize + " bytes of frames from " + first + " on of " + object);
        }
        head(new FrameHeader(FrameHeader.FRAMES, object, first, storedSize, 0));
    }

    /** Ends the bundle unfinished, and says why. */
    public void error(String message) throws IOException {
        document(FrameHeader.ERROR, cut(message));
        ended = true;
    }

    /** Ends the bundle: it is complete. */
    public void end() throws IOException {
        write(new FrameHeader(FrameHeader.END, FrameHeader.NO_DIGEST, frames, storedBytes, 0));
        ended = true;
    }

    /** Number of frames so far. */
    public long frames() {
        return frames;
    }

    /** Sum of the payloads so far, bytes. */
    public long storedBytes() {
        return storedBytes;
    }

    private void document(int type, byte[] payload) throws IOException {
        head(new FrameHeader(type, Digest.of(payload), payload.length, payload.length, 0));
        out.write(payload);
    }

    private void contentHead(int type, Digest digest, long rawSize, long storedSize, long offset) throws IOException {
        if (rawSize <= 0 || storedSize <= 0 || offset < 0 || offset >= storedSize) {
            throw new IllegalArgumentException(
                    "frame of " + storedSize + " bytes from " + offset + " for " + rawSize + ": " + digest);
        }
        head(new FrameHeader(type, digest, rawSize, storedSize, offset));
    }

    private void head(FrameHeader header) throws IOException {
        write(header);
        frames++;
        storedBytes = Math.addExact(storedBytes, header.payload());
    }

    private void write(FrameHeader header) throws IOException {
        if (ended) {
            throw new IllegalStateException("the bundle has ended");
        }
        out.write(header.encode(running));
    }

    private void copy(Digest digest, long size, InputStream payload) throws IOException {
        byte[] buffer = new byte[(int) Math.min(size, 64 * 1024)];
        long left = size;
        while (left > 0) {
            int n = payload.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new IOException("payload of " + digest + " ends " + left + " bytes before its " + size);
            }
            out.write(buffer, 0, n);
            left -= n;
        }
    }

    private static byte[] cut(String message) {
        byte[] utf8 = message.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= MAX_ERROR_BYTES) {
            return utf8;
        }
        int end = MAX_ERROR_BYTES;
        while ((utf8[end] & 0xc0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(utf8, end);
    }
}
