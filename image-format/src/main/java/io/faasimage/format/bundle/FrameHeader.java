package io.faasimage.format.bundle;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The fixed-size head of every frame (docs/formats/bundle.md). The checksum runs over the stream's header and the heads
 * of all frames so far, so that a lost, repeated or exchanged frame is noticed at the next head.
 */
record FrameHeader(int type, Digest digest, long rawSize, long storedSize, long offset) {
    static final String FORMAT = "bundle";
    static final int VERSION = 3;
    static final int OLDEST_VERSION = 3;
    static final int STREAM_HEADER_BYTES = 12;
    static final int BYTES = 64;

    static final int PLAN = 1;
    static final int METADATA = 2;
    static final int OBJECT = 3;
    static final int ERROR = 4;
    static final int END = 5;
    static final int SELECTED = 6;
    static final int CHAINS = 7;
    static final int PLAN_DELTA = 8;
    static final int METADATA_DELTA = 9;
    static final int FRAMES = 10;

    static final Digest NO_DIGEST = Digest.ofBytes(new byte[Digest.BYTES]);

    private static final String MAGIC = "FIBU";

    static byte[] streamHeader(CRC32C running) {
        ByteWriter out = new ByteWriter(STREAM_HEADER_BYTES)
                .raw(MAGIC.getBytes(StandardCharsets.US_ASCII))
                .u16(VERSION)
                .u16(0);
        running.update(out.toBytes());
        return out.u32((int) running.getValue()).toBytes();
    }

    static void checkStreamHeader(byte[] bytes, CRC32C running) throws FormatException {
        ByteReader in = new ByteReader(FORMAT, bytes, 0, bytes.length);
        if (!MAGIC.equals(new String(in.raw(4), StandardCharsets.ISO_8859_1))) {
            throw FormatException.corrupt("not a bundle: it does not begin with " + MAGIC);
        }
        int version = in.u16();
        int reserved = in.u16();
        running.update(bytes, 0, STREAM_HEADER_BYTES - 4);
        if (in.u32() != (int) running.getValue()) {
            throw in.bad("checksum of the header is wrong");
        }
        Envelope.checkVersion(FORMAT, version, OLDEST_VERSION, VERSION);
        if (reserved != 0) {
            throw in.bad("reserved bytes are not zero");
        }
    }

    /** Bytes of payload that follow the head. */
    long payload() {
        return type == END ? 0 : storedSize - offset;
    }

    byte[] encode(CRC32C running) {
        byte[] summed = new ByteWriter(BYTES)
                .u32(type)
                .u64(rawSize)
                .u64(storedSize)
                .u64(offset)
                .digest(digest)
                .toBytes();
        running.update(summed);
        return new ByteWriter(BYTES).raw(summed).u32((int) running.getValue()).toBytes();
    }

    static FrameHeader decode(byte[] bytes, CRC32C running) throws FormatException {
        ByteReader in = new ByteReader(FORMAT + " frame", bytes, 0, bytes.length);
        int type = in.u32();
        long rawSize = in.u64();
        long storedSize = in.u64();
        long offset = in.u64();
        Digest digest = in.digest();
        running.update(bytes, 0, BYTES - 4);
        if (in.u32() != (int) running.getValue()) {
            throw in.bad("checksum of the frame's head is wrong, or frames were lost");
        }
        if (rawSize < 0 || storedSize < 0 || type < PLAN || type > FRAMES) {
            throw in.bad("frame of type " + type + " with " + storedSize + " bytes for " + rawSize);
        }
        if (offset != 0 && (type != OBJECT || offset < 0 || offset >= storedSize)) {
            throw in.bad("frame of type " + type + " that begins at " + offset + " of " + storedSize);
        }
        return new FrameHeader(type, digest, rawSize, storedSize, offset);
    }
}
