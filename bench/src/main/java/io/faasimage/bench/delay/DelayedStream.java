package io.faasimage.bench.delay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of a connection: every byte leaves after the delay. One thread reads, another writes; the bytes between
 * them are bounded, so that a slow receiver slows the sender down.
 */
final class DelayedStream {
    /** 32 MB in 75 ms are 430 MB/s, more than any measurement here moves. */
    private static final int ON_THE_WAY = 32 << 20;

    private static final int CHUNK = 64 << 10;

    /** Bytes and when they may go, in {@link System#nanoTime}; empty bytes are the end. */
    private record Chunk(ByteBuffer bytes, long due) {}

    private final InputStream in;
    private final OutputStream out;
    private final Duration delay;
    private final Semaphore room = new Semaphore(ON_THE_WAY);
    private final BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();

    DelayedStream(InputStream in, OutputStream out, Duration delay) {
        this.in = in;
        this.out = out;
        this.delay = delay;
    }

    /**
     * Reads to the end.
     *
     * @param earliest time before which nothing leaves, in {@link System#nanoTime}
     */
    void read(long earliest) throws IOException, InterruptedException {
        byte[] buffer = new byte[CHUNK];
        try {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                room.acquire(read);
                byte[] bytes = new byte[read];
                System.arraycopy(buffer, 0, bytes, 0, read);
                chunks.put(new Chunk(ByteBuffer.wrap(bytes), due(earliest)));
            }
        } finally {
            chunks.put(new Chunk(ByteBuffer.allocate(0), due(earliest)));
        }
    }

    private long due(long earliest) {
        long due = System.nanoTime() + delay.toNanos();
        return due - earliest < 0 ? earliest : due;
    }

    /** Writes to the end, each chunk when it is due. */
    void write() throws IOException, InterruptedException {
        for (Chunk chunk = chunks.take(); chunk.bytes().hasRemaining(); chunk = chunks.take()) {
            await(chunk.due());
            out.write(chunk.bytes().array());
            room.release(chunk.bytes().capacity());
        }
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
