package io.faasimage.gate.fuse;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/** Objects that are open through the mount, each under the number that the kernel keeps for it. Thread-safe. */
final class OpenObjects {
    /** The number of a file without content. */
    static final long EMPTY = 0;

    private final Map<Long, FileChannel> channels = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong(EMPTY);
    private final LongAdder bytesRead = new LongAdder();

    /** A number for {@code channel}, which is closed with it. */
    long add(FileChannel channel) {
        long number = last.incrementAndGet();
        channels.put(number, channel);
        return number;
    }

    /** Reads up to {@code size} bytes at {@code offset} straight into {@code memory}; fewer only at the end. */
    int read(long number, Pointer memory, long size, long offset) throws IOException {
        @Nullable FileChannel channel = channels.get(number);
        if (channel == null) {
            if (number == EMPTY) {
                return 0;
            }
            throw new IOException("file " + number + " is not open");
        }
        ByteBuffer buffer = at(memory, size);
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer, offset + buffer.position());
            if (count < 0) {
                break;
            }
        }
        bytesRead.add(buffer.position());
        return buffer.position();
    }

    /** libfuse promises {@code size} bytes there until the callback ends. */
    @SuppressWarnings("restricted")
    private static ByteBuffer at(Pointer memory, long size) {
        return MemorySegment.ofAddress(memory.address()).reinterpret(size).asByteBuffer();
    }

    void close(long number) throws IOException {
        FileChannel channel = channels.remove(number);
        if (channel != null) {
            channel.close();
        }
    }

    int count() {
        return channels.size();
    }

    long bytesRead() {
        return bytesRead.sum();
    }
}
