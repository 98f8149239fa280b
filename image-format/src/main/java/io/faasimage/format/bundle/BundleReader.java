package io.faasimage.format.bundle;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A reader of a bundle from a stream, frame by frame. It checks the heads, their order and the end; the content of
 * metadata images and objects is for the receiver to check against the digest. Does not close the stream. Not
 * thread-safe.
 */
public final class BundleReader {
    /** Default limit of an encoded plan, bytes. */
    public static final int DEFAULT_MAX_PLAN_BYTES = 64 << 20;

    private static final int MAX_CHAINS_BYTES = BundleWriter.MAX_CHAINS * Digest.BYTES;

    private final InputStream in;
    private final int maxPlanBytes;
    private final CRC32C running = new CRC32C();
    private Payload payload = new Payload(InputStream.nullInputStream(), 0);
    private long frames;
    private long storedBytes;
    private boolean ended;

    /** Starts to read a bundle whose plan has at most {@link #DEFAULT_MAX_PLAN_BYTES}. */
    public BundleReader(InputStream in) throws IOException {
        this(in, DEFAULT_MAX_PLAN_BYTES);
    }

    /** Starts to read a bundle whose plan and selection have at most {@code maxPlanBytes} each. */
    public BundleReader(InputStream in, int maxPlanBytes) throws IOException {
        this.in = in;
        this.maxPlanBytes = maxPlanBytes;
        FrameHeader.checkStreamHeader(exactly(FrameHeader.STREAM_HEADER_BYTES, "in its header"), running);
    }

    /**
     * The next frame; the rest of the previous one's payload is skipped. Empty after the {@link Frame.EndFrame} or
     * {@link Frame.ErrorFrame}, of which there is always exactly one.
     *
     * @throws FormatException when the bundle is damaged or cut off
     */
    public Optional<Frame> next() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        payload.skipRest();
        FrameHeader header =
                FrameHeader.decode(exactly(FrameHeader.BYTES, "after frame " + frames + ", before its end"), running);
        Frame frame = frame(header);
        if (!ended) {
            frames++;
            storedBytes += header.payload();
        }
        return Optional.of(frame);
    }

    private Frame frame(FrameHeader header) throws IOException {
        return switch (header.type()) {
            case FrameHeader.PLAN -> new Frame.PlanFrame(header.digest(), document(header, maxPlanBytes));
            case FrameHeader.METADATA ->
                new Frame.MetadataFrame(header.digest(), header.rawSize(), header.storedSize(), content(header));
            case FrameHeader.OBJECT ->
                new Frame.ObjectFrame(
                        header.digest(), header.rawSize(), header.storedSize(), header.offset(), content(header));
            case FrameHeader.FRAMES -> frames(header);
            case FrameHeader.PLAN_DELTA -> new Frame.PlanDeltaFrame(delta(header, maxPlanBytes));
            case FrameHeader.METADATA_DELTA -> new Frame.MetadataDeltaFrame(delta(header, Delta.MAX_BYTES));
            case FrameHeader.SELECTED -> new Frame.SelectedFrame(Selection.decode(document(header, maxPlanBytes)));
            case FrameHeader.CHAINS -> new Frame.ChainsFrame(chains(document(header, MAX_CHAINS_BYTES)));
            case FrameHeader.ERROR -> {
                byte[] utf8 = document(header, BundleWriter.MAX_ERROR_BYTES);
                finish();
                yield new Frame.ErrorFrame(new String(utf8, StandardCharsets.UTF_8));
            }
            case FrameHeader.END -> {
                end(header);
                yield new Frame.EndFrame(frames, storedBytes);
            }
            default -> throw damaged("has a frame of unknown type " + header.type());
        };
    }

    private byte[] document(FrameHeader header, int max) throws IOException {
        if (header.storedSize() > max || header.rawSize() != header.storedSize()) {
            throw damaged("has a frame of type " + header.type() + " with " + header.storedSize()
                    + " bytes, the limit is " + max);
        }
        byte[] bytes = exactly((int) header.storedSize(), "in frame " + frames);
        if (!Digest.of(bytes).equals(header.digest())) {
            throw damaged("has a frame whose digest is not " + header.digest());
        }
        return bytes;
    }

    private Delta delta(FrameHeader header, int max) throws IOException {
        if (header.rawSize() > max || header.storedSize() > max) {
            throw damaged("has a delta of " + header.storedSize() + " bytes for " + header.rawSize() + ", the limit is "
                    + max);
        }
        byte[] bytes = exactly((int) header.storedSize(), "in frame " + frames);
        return Delta.decode(header.digest(), header.rawSize(), bytes);
    }

    private static List<ChainId> chains(byte[] payload) throws FormatException {
        if (payload.length % Digest.BYTES != 0) {
            throw damaged("has chains of " + payload.length + " bytes, which is no multiple of " + Digest.BYTES);
        }
        ByteReader in = new ByteReader(FrameHeader.FORMAT + " chains", payload, 0, payload.length);
        List<ChainId> chains = new ArrayList<>(payload.length / Digest.BYTES);
        while (in.remaining() > 0) {
            chains.add(new ChainId(in.digest()));
        }
        return chains;
    }

    private InputStream content(FrameHeader header) throws FormatException {
        if (header.rawSize() == 0 || header.storedSize() == 0) {
            throw damaged("has an empty frame for " + header.digest());
        }
        payload = new Payload(in, header.payload());
        return payload;
    }

    private Frame frames(FrameHeader header) throws FormatException {
        if (header.rawSize() > Integer.MAX_VALUE || header.storedSize() == 0) {
            throw damaged("has frames from " + header.rawSize() + " on in " + header.storedSize() + " bytes");
        }
        payload = new Payload(in, header.payload());
        return new Frame.FramesFrame(header.digest(), (int) header.rawSize(), header.storedSize(), payload);
    }

    private void end(FrameHeader header) throws IOException {
        if (header.rawSize() != frames || header.storedSize() != storedBytes) {
            throw damaged("says at its end that it has " + header.rawSize() + " frames of " + header.storedSize()
                    + " bytes; it has " + frames + " of " + storedBytes);
        }
        finish();
    }

    private void finish() throws IOException {
        if (in.read() >= 0) {
            throw damaged("continues after its end");
        }
        ended = true;
    }

    private byte[] exactly(int length, String where) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw damaged("is cut off " + where);
        }
        return bytes;
    }

    private static FormatException damaged(String what) {
        return FormatException.corrupt("bundle " + what + "; pull again");
    }

    /** The part of the stream that is one frame's payload. */
    private static final class Payload extends InputStream {
        private final InputStream in;
        private long left;

        Payload(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            if (left == 0) {
                return -1;
            }
            int next = in.read();
            took(next < 0 ? -1 : 1);
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (left == 0) {
                return length == 0 ? 0 : -1;
            }
            int n = in.read(buffer, offset, (int) Math.min(length, left));
            took(n);
            return n;
        }

        @Override
        public long skip(long n) throws IOException {
            long skipped = in.skip(Math.min(n, left));
            left -= Math.max(0, skipped);
            return skipped;
        }

        @Override
        public int available() throws IOException {
            return (int) Math.min(left, in.available());
        }

        void skipRest() throws IOException {
            while (left > 0) {
                if (skip(left) <= 0) {
                    read();
                }
            }
        }

        private void took(int n) throws FormatException {
            if (n < 0) {
                throw damaged("is cut off " + left + " bytes before the end of a payload");
            }
            left -= n;
        }
    }
}
