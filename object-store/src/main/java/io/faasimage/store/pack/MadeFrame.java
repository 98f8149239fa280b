package io.faasimage.store.pack;

import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A frame that is made here, of content that came in another form than the service's. Stateless. */
final class MadeFrame {
    /** Those of the refactor engine, for what starts read and for the rest. */
    private static final int[] LEVELS = {9, 3};

    private static final int[] OTHER_LEVELS = {1, 2, 4, 5, 6, 7, 8, 10, 12, 15, 19, 22, -1, -3, -7};
    private static final int SKIPPABLE_MAGIC = 0x184d2a50;
    private static final int SKIPPABLE_HEADER_BYTES = 8;

    private MadeFrame() {}

    /** The service's own frame; empty when it was made by another version of zstd. */
    static Optional<ByteBuffer> same(byte[] content, Digest digest) {
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true)) {
            for (int level : LEVELS) {
                byte[] frame = zstd.setLevel(level).compress(content);
                if (Digest.of(frame).equals(digest)) {
                    return Optional.of(ByteBuffer.wrap(frame));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * A frame for a place of {@code length} bytes, which the mounted file system knows: one that is shorter is filled
     * up with a skippable frame (RFC 8878, section 3.1.2). Empty when none fits.
     */
    static Optional<ByteBuffer> fitting(byte[] content, int length) {
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true)) {
            for (int[] levels : new int[][] {LEVELS, OTHER_LEVELS}) {
                for (int level : levels) {
                    byte[] frame = zstd.setLevel(level).compress(content);
                    int left = length - frame.length;
                    if (left == 0 || left >= SKIPPABLE_HEADER_BYTES) {
                        return Optional.of(filled(frame, length));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static ByteBuffer filled(byte[] frame, int length) {
        ByteBuffer place =
                ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN).put(frame);
        if (place.hasRemaining()) {
            place.putInt(SKIPPABLE_MAGIC).putInt(place.remaining() - Integer.BYTES);
        }
        return place.rewind();
    }
}
