package io.faasimage.registry.platform.connection;

import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A body target that writes to the servlet's stream, whatever is below it. */
final class StreamTarget implements BodyTarget {
    private static final long PIECE_BYTES = 1 << 20;

    private final ServletOutputStream out;

    StreamTarget(ServletOutputStream out) {
        this.out = out;
    }

    @Override
    public void write(ByteBuffer piece) throws IOException {
        while (piece.hasRemaining()) {
            out.write(piece);
        }
    }

    @Override
    public void write(FileChannel file, long position, MemorySegment content) throws IOException {
        for (long from = 0; from < content.byteSize(); from += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, content.byteSize() - from);
            write(content.asSlice(from, length).asByteBuffer());
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
