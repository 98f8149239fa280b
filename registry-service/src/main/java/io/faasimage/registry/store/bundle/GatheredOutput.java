package io.faasimage.registry.store.bundle;

import io.faasimage.registry.platform.connection.BodyTarget;
import io.faasimage.registry.store.object.MappedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A buffer outside the heap that gathers heads and small objects, so that they leave in few pieces; large objects pass
 * it unbuffered. Not thread-safe; its memory is freed when it is closed, which sends nothing.
 */
final class GatheredOutput extends OutputStream {
    private static final int GATHERED_BYTES = 128 * 1024;
    private static final int LARGE_BYTES = 32 * 1024;

    private final BodyTarget target;
    private final Arena memory = Arena.ofConfined();
    private final ByteBuffer gathered = memory.allocate(GATHERED_BYTES).asByteBuffer();

    GatheredOutput(BodyTarget target) {
        this.target = target;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        while (from < offset + length) {
            int n = Math.min(room(), offset + length - from);
            gathered.put(bytes, from, n);
            from += n;
        }
    }

    /** Sends a part of a file. */
    void write(MappedFile file, long position, long length) throws IOException {
        MemorySegment content = file.content().asSlice(position, length);
        if (length <= LARGE_BYTES) {
            if (gathered.remaining() < length) {
                flush();
            }
            gathered.put(content.asByteBuffer());
        } else {
            flush();
            target.write(file.file(), position, content);
        }
    }

    private int room() throws IOException {
        if (!gathered.hasRemaining()) {
            flush();
        }
        return gathered.remaining();
    }

    /** Passes the gathered bytes on. */
    @Override
    public void flush() throws IOException {
        gathered.flip();
        target.write(gathered);
        gathered.clear();
    }

    @Override
    public void close() {
        memory.close();
    }
}
