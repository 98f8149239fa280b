package io.faasimage.refactor.spool;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import java.io.Closeable;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * A compressor of single frames of {@link ObjectFrames}. The buffers are outside of the heap, because zstd would delay
 * the garbage collection while it works in the heap, and are released at once. Not thread-safe.
 */
final class FrameEncoder implements Closeable {
    private final ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true).setContentSize(true);
    private final MessageDigest hash = Digest.newSha256();
    private final Arena arena = Arena.ofShared();
    private final ByteBuffer in = arena.allocate(ObjectFrames.CONTENT_BYTES).asByteBuffer();

    void level(int level) {
        zstd.setLevel(level);
    }

    /** Compresses content, at most that of one frame, to the position of {@code out}, which has room for it. */
    ObjectFrames.Frame encode(byte[] bytes, int offset, int length, ByteBuffer out) {
        in.clear().put(bytes, offset, length);
        int at = out.position();
        int stored = zstd.compressDirectByteBuffer(out, at, out.remaining(), in, 0, length);
        hash.update(out.duplicate().limit(at + stored));
        out.position(at + stored);
        return new ObjectFrames.Frame(stored, Digest.ofBytes(hash.digest()));
    }

    /** Room that is enough for the frames of so many bytes of content. */
    static int room(int content) {
        int full = content / ObjectFrames.CONTENT_BYTES + 1;
        return Math.toIntExact(full * Zstd.compressBound(ObjectFrames.CONTENT_BYTES));
    }

    @Override
    public void close() {
        zstd.close();
        arena.close();
    }
}
