package io.faasimage.refactor.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * An input stream whose bytes another thread produces, up to a bounded number of chunks ahead.
 *
 * <p>A failure of the producer is thrown to the reader when it has read all bytes before it. Closing the stream
 * interrupts the producer and waits for its end. One reader at a time.
 */
public final class ReadAhead extends InputStream {
    private static final int CHUNK = 128 << 10;
    private static final int CHUNKS_AHEAD = 8;

    /** A writer of the stream; runs in its own thread and returns at the end of the data. */
    @FunctionalInterface
    public interface Producer {
        /** Writes all bytes to {@code out}; it need not be flushed or closed. */
        void produce(OutputStream out) throws IOException;
    }

    private sealed interface Item {}

    private static final class Chunk implements Item {
        private final byte[] bytes;
        private final int length;

        Chunk(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }
    }

    private record End(@Nullable Throwable failure) implements Item {}

    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
    private final BlockingQueue<byte[]> used = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
    private final Thread thread;
    private @Nullable Chunk current;
    private int position;
    private @Nullable End end;

    private ReadAhead(Producer producer, ThreadFactory threads) {
        thread = threads.newThread(() -> run(producer));
    }

    /** Starts {@code producer} in a thread of {@code threads}. */
    public static ReadAhead start(Producer producer, ThreadFactory threads) {
        ReadAhead stream = new ReadAhead(producer, threads);
        stream.thread.start();
        return stream;
    }

    private void run(Producer producer) {
        Throwable failure = null;
        try (Sink sink = new Sink()) {
            producer.produce(sink);
        } catch (Throwable e) {
            failure = e;
        }
        try {
            queue.put(new End(failure));
        } catch (InterruptedException e) {
            // The reader has closed the stream and takes nothing any more.
            Thread.currentThread().interrupt();
        }
    }

    private void put(Item item) throws InterruptedIOException {
        try {
            queue.put(item);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the reader closed the stream");
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        Chunk chunk = chunk();
        if (chunk == null) {
            return -1;
        }
        int n = Math.min(length, chunk.length - position);
        System.arraycopy(chunk.bytes, position, buffer, offset, n);
        position += n;
        return n;
    }

    private @Nullable Chunk chunk() throws IOException {
        while (end == null && (current == null || position == current.length)) {
            try {
                switch (queue.take()) {
                    case Chunk chunk -> {
                        if (current != null) {
                            used.offer(current.bytes);
                        }
                        current = chunk;
                        position = 0;
                    }
                    case End last -> end = last;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while reading a layer");
            }
        }
        if (end == null) {
            return current;
        }
        switch (end.failure) {
            case null -> {
                return null;
            }
            case IOException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IOException("cannot continue reading: " + e, e);
        }
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        queue.clear();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                queue.clear();
                thread.join(10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cuts the producer's bytes into chunks. */
    private final class Sink extends OutputStream {
        private byte[] buffer = new byte[CHUNK];
        private int length;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            int done = 0;
            while (done < count) {
                int n = Math.min(count - done, CHUNK - length);
                System.arraycopy(bytes, offset + done, buffer, length, n);
                length += n;
                done += n;
                if (length == CHUNK) {
                    push();
                }
            }
        }

        @Override
        public void close() throws IOException {
            if (length > 0) {
                push();
            }
        }

        private void push() throws IOException {
            put(new Chunk(buffer, length));
            byte[] again = used.poll();
            buffer = again == null ? new byte[CHUNK] : again;
            length = 0;
        }
    }
}
