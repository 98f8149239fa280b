package io.faasimage.refactor.spool;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import java.io.Closeable;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/**
 * A compressor of contents that are too large for memory, one after the other and piece by piece, into zstd frames at
 * the end of a file that it alone writes. Not thread-safe.
 */
final class FrameStream implements Closeable {
    private static final int BUFFER = 1 << 20;

    private final FrameFile file;
    private final ZstdCompressCtx zstd = new ZstdCompressCtx();
    private final Arena arena = Arena.ofShared();
    private final ByteBuffer in = arena.allocate(BUFFER).asByteBuffer();
    private final ByteBuffer out = arena.allocate(BUFFER).asByteBuffer();
    private long length;

    FrameStream(FrameFile file) {
        this.file = file;
    }

    /** Begins the frame of a content of exactly {@code size} bytes; one that was begun before is dropped. */
    void begin(long size, int level) {
        length = 0;
        in.clear();
        zstd.reset();
        zstd.setChecksum(false).setContentSize(true).setLevel(level);
        zstd.setPledgedSrcSize(size);
    }

    void write(byte[] bytes, int offset, int count) throws RefactorException {
        for (int done = 0; done < count; ) {
            int n = Math.min(count - done, in.remaining());
            in.put(bytes, offset + done, n);
            done += n;
            if (!in.hasRemaining()) {
                drain(EndDirective.CONTINUE);
            }
        }
    }

    /** Ends the frame of this content, which stays at the end of the file. */
    SpooledFrame finish(Digest digest, long size, int level) throws RefactorException {
        drain(EndDirective.END);
        SpooledFrame frame = new SpooledFrame(digest, file.channel(), file.end(), length, size, level);
        file.take(length);
        return frame;
    }

    private void drain(EndDirective directive) throws RefactorException {
        in.flip();
        boolean flushed = false;
        while (in.hasRemaining() || (directive == EndDirective.END && !flushed)) {
            out.clear();
            flushed = zstd.compressDirectByteBufferStream(out, in, directive);
            out.flip();
            int n = out.remaining();
            file.write(out, file.end() + length);
            length += n;
        }
        in.clear();
    }

    @Override
    public void close() {
        zstd.close();
        arena.close();
    }
}
