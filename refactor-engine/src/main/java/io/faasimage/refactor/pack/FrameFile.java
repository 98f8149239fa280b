package io.faasimage.refactor.pack;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Compresses what is too large for memory: from a reader by position into a file, as one zstd frame. */
public final class FrameFile {
    private static final int BUFFER = 1 << 20;

    /** Gives bytes of a content. */
    @FunctionalInterface
    public interface Content {
        /** Fills {@code buffer} from byte {@code from} on. */
        void read(long from, ByteBuffer buffer) throws IOException;
    }

    private FrameFile() {}

    /** Writes the {@code size} bytes of {@code content} to the new file {@code target}, with the content size in the frame. */
    public static void write(Content content, long size, int level, Path target) throws IOException {
        ByteBuffer in = ByteBuffer.allocateDirect((int) Math.min(BUFFER, size));
        ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
        try (ZstdCompressCtx zstd =
                        new ZstdCompressCtx().setLevel(level).setChecksum(false).setContentSize(true);
                FileChannel file = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            zstd.setPledgedSrcSize(size);
            for (long done = 0; done < size; ) {
                in.clear().limit((int) Math.min(in.capacity(), size - done));
                content.read(done, in);
                done += in.position();
                in.flip();
                drain(zstd, in, out, file, done == size ? EndDirective.END : EndDirective.CONTINUE);
            }
        }
    }

    private static void drain(
            ZstdCompressCtx zstd, ByteBuffer in, ByteBuffer out, FileChannel file, EndDirective directive)
            throws IOException {
        boolean flushed = false;
        while (in.hasRemaining() || (directive == EndDirective.END && !flushed)) {
            out.clear();
            flushed = zstd.compressDirectByteBufferStream(out, in, directive);
            out.flip();
            while (out.hasRemaining()) {
                file.write(out);
            }
        }
    }

    /** Compresses the whole file {@code source} into the new file {@code target}. */
    public static void write(Path source, int level, Path target) throws IOException {
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ)) {
            write((from, buffer) -> readFully(in, from, buffer), in.size(), level, target);
        }
    }

    private static void readFully(FileChannel channel, long from, ByteBuffer buffer) throws IOException {
        long position = from;
        while (buffer.hasRemaining()) {
            int n = channel.read(buffer, position);
            if (n < 0) {
                throw new EOFException("the file became shorter while it was compressed");
            }
            position += n;
        }
    }
}
