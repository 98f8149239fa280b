package io.faasimage.layer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The window of a zstd frame, as its header declares it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1">RFC 8878, frame header</a>
 */
final class ZstdWindow {
    /** Longest header: magic number, descriptor, window, dictionary and content size. */
    static final int HEADER_BYTES = 18;

    private static final int MAGIC_BYTES = 4;
    private static final int SINGLE_SEGMENT = 1 << 5;
    private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

    private ZstdWindow() {}

    /**
     * Bytes of the window of the frame that {@code start} begins with; 0 when the header is cut off, which zstd
     * reports.
     */
    static long bytes(byte[] start) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put(start, 0, Math.min(start.length, HEADER_BYTES));
        int descriptor = header.get(MAGIC_BYTES);
        int next = MAGIC_BYTES + 1;
        if ((descriptor & SINGLE_SEGMENT) == 0) {
            int window = header.get(next) & 0xff;
            long base = 1L << (10 + (window >>> 3));
            return base + base / 8 * (window & 7);
        }
        int size = next + DICTIONARY_BYTES[descriptor & 3];
        return switch ((descriptor >>> 6) & 3) {
            case 0 -> header.get(size) & 0xff;
            case 1 -> (header.getShort(size) & 0xffff) + 256L;
            case 2 -> header.getInt(size) & 0xffff_ffffL;
            default -> header.getLong(size);
        };
    }
}
