package io.faasimage.refactor.spool;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import java.io.Closeable;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/**
 * A compressor of contents that fit into a batch. The buffers are outside of the heap, because zstd would delay the
 * garbage collection while it works in the heap, and are released at once. Not thread-safe.
 */
final class Compressor implements Closeable {
    private final ZstdCompressCtx zstd =
            new ZstdCompressCtx().setChecksum(false).setContentSize(true);
    private final Arena arena = Arena.ofShared();
    private final ByteBuffer in = arena.allocate(SpoolBatch.BYTES).asByteBuffer();
    private final ByteBuffer out =
            arena.allocate(Zstd.compressBound(SpoolBatch.BYTES)).asByteBuffer();

    /** Compresses one content of {@code batch} to the end of {@code file}. */
    SpooledFrame compress(SpoolBatch batch, SpoolBatch.Item item, FrameFile file) throws RefactorException {
        in.clear().put(batch.bytes(), item.offset(), item.size());
        out.clear();
        zstd.setLevel(item.level());
        int length = zstd.compressDirectByteBuffer(out, 0, out.capacity(), in, 0, item.size());
        Digest digest = item.digest();
        long at = file.append(out.limit(length));
        return new SpooledFrame(digest, file.channel(), at, length, item.size(), item.level());
    }

    @Override
    public void close() {
        zstd.close();
        arena.close();
    }
}
