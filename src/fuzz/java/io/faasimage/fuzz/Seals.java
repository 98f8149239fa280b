package io.faasimage.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Checksums of our formats, made right in an input, so that a mutation is not stopped by them. */
final class Seals {
    private static final int CHECKSUM_BYTES = 4;
    private static final int SUPERBLOCK = 1024;
    private static final int BLOCK = 4096;
    private static final int BUNDLE_HEAD = 8;
    private static final int FRAME_HEAD = 64;
    private static final int FRAME_STORED = 12;
    private static final int FRAME_OFFSET = 20;
    private static final int PACK_TRAILER = 16;

    private Seals() {}

    /** A document: the checksum is added at its end. */
    static byte[] document(byte[] input) {
        byte[] document = Arrays.copyOf(input, input.length + CHECKSUM_BYTES);
        buffer(document).putInt(input.length, crc(input, 0, input.length));
        return document;
    }

    /** A metadata image: the superblock's. */
    static byte[] erofs(byte[] input) {
        byte[] image = input.clone();
        if (image.length >= BLOCK) {
            buffer(image).putInt(SUPERBLOCK + CHECKSUM_BYTES, 0);
            buffer(image).putInt(SUPERBLOCK + CHECKSUM_BYTES, ~crc(image, SUPERBLOCK, BLOCK - SUPERBLOCK));
        }
        return image;
    }

    /** A bundle: the running one, as far as the heads of frames can be followed. */
    static byte[] bundle(byte[] input) {
        byte[] bundle = input.clone();
        ByteBuffer buffer = buffer(bundle);
        if (bundle.length < BUNDLE_HEAD + CHECKSUM_BYTES) {
            return bundle;
        }
        CRC32C running = new CRC32C();
        running.update(bundle, 0, BUNDLE_HEAD);
        buffer.putInt(BUNDLE_HEAD, (int) running.getValue());
        long at = BUNDLE_HEAD + CHECKSUM_BYTES;
        while (at >= 0 && at + FRAME_HEAD <= bundle.length) {
            running.update(bundle, (int) at, FRAME_HEAD - CHECKSUM_BYTES);
            buffer.putInt((int) at + FRAME_HEAD - CHECKSUM_BYTES, (int) running.getValue());
            long stored = buffer.getLong((int) at + FRAME_STORED) - buffer.getLong((int) at + FRAME_OFFSET);
            at = stored < 0 || stored > bundle.length ? -1 : at + FRAME_HEAD + stored;
        }
        return bundle;
    }

    /** A pack: its trailer's, and that of the index where the trailer says. */
    static byte[] pack(byte[] input) {
        byte[] pack = input.clone();
        int trailer = pack.length - PACK_TRAILER;
        if (trailer < 0) {
            return pack;
        }
        ByteBuffer buffer = buffer(pack);
        buffer.putInt(trailer + Long.BYTES, crc(pack, trailer, Long.BYTES));
        long index = buffer.getLong(trailer);
        if (index >= 0 && index <= trailer - CHECKSUM_BYTES) {
            int end = trailer - CHECKSUM_BYTES;
            buffer.putInt(end, crc(pack, (int) index, end - (int) index));
        }
        return pack;
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
