package io.faasimage.refactor.spool;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A compressor of whole files, each into one zstd frame that contains the content size. */
public final class CompressedFile {
    private static final int BUFFER = 1 << 20;

    private CompressedFile() {}

    /** Compresses {@code source} into the new file {@code target}; returns its size in bytes. */
    public static long write(Path source, int level, Path target) throws IOException {
        try (FileChannel in = FileChannel.open(source);
                FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined();
                ZstdCompressCtx zstd =
                        new ZstdCompressCtx().setContentSize(true).setLevel(level)) {
            zstd.setPledgedSrcSize(in.size());
            ByteBuffer raw = arena.allocate(BUFFER).asByteBuffer();
            ByteBuffer stored = arena.allocate(Zstd.compressBound(BUFFER)).asByteBuffer();
            boolean last = false;
            while (!last) {
                last = in.read(raw.clear()) < 0;
                raw.flip();
                boolean flushed = false;
                while (raw.hasRemaining() || (last && !flushed)) {
                    flushed = zstd.compressDirectByteBufferStream(
                            stored.clear(), raw, last ? EndDirective.END : EndDirective.CONTINUE);
                    stored.flip();
                    while (stored.hasRemaining()) {
                        out.write(stored);
                    }
                }
            }
            return out.size();
        }
    }
}
