package io.faasimage.store;

import io.faasimage.store.object.StoreException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A writer that hashes and writes the content of one object in order. For a large object, if a processor is free, it
 * continues on a thread of its own, while the caller receives and decompresses: a start that waits for one large object
 * waits for the whole of it. Where every processor has an object already, a second thread would only take time from the
 * function that starts. Used by one thread.
 */
final class WriteBehind implements AutoCloseable {
    /** Up to here a second thread costs more than it brings. */
    static final long ALONE_BYTES = 2 << 20;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Buffers that are written, wait, or are being filled. */
    private static final int BUFFERS = 4;

    private final ObjectOutput out;
    private final Scratch first;
    private final Scratch.Pool scratches;
    private final AtomicInteger writers;
    private final List<Scratch> more = new ArrayList<>();
    private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(BUFFERS);
    /** An empty one at the end. */
    private final BlockingQueue<ByteBuffer> full = new ArrayBlockingQueue<>(BUFFERS + 1);

    private long written;
    private @Nullable Thread thread;
    private volatile @Nullable Throwable failure;

    /**
     * Into {@code out}.
     *
     * @param scratch hashes, and is the first buffer
     * @param writers how many threads write objects now, this one among them
     */
    WriteBehind(ObjectOutput out, Scratch scratch, Scratch.Pool scratches, AtomicInteger writers) {
        this.out = out;
        this.first = scratch;
        this.scratches = scratches;
        this.writers = writers;
    }

    /**
     * Takes the first {@code length} bytes of {@code buffer}, at least one.
     *
     * @return the buffer to be filled next
     * @throws StoreException when this or an earlier piece could not be written
     */
    byte[] write(byte[] buffer, int length) throws StoreException, InterruptedIOException {
        written += length;
        if (thread == null && (written <= ALONE_BYTES || writers.get() >= PROCESSORS)) {
            now(ByteBuffer.wrap(buffer, 0, length));
            return buffer;
        }
        if (thread == null) {
            start();
        }
        check();
        try {
            full.put(ByteBuffer.wrap(buffer, 0, length));
            return empty.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while an object was written");
        }
    }

    /** Returns when all is written. The hash is the scratch's. */
    void finish() throws StoreException {
        end();
        check();
    }

    private void now(ByteBuffer piece) throws StoreException {
        first.sha256.update(piece.duplicate());
        out.put(piece);
    }

    private void start() {
        for (int i = 1; i < BUFFERS; i++) {
            Scratch scratch = scratches.take();
            more.add(scratch);
            empty.add(scratch.buffer);
        }
        thread = Thread.ofPlatform().name("object-write").daemon().start(this::work);
        writers.incrementAndGet();
    }

    // Each piece was made by ByteBuffer.wrap.
    @SuppressWarnings("ByteBufferBackingArray")
    private void work() {
        try {
            for (ByteBuffer piece = full.take(); piece.hasRemaining(); piece = full.take()) {
                if (failure == null) {
                    written(piece);
                }
                empty.add(piece.array());
            }
        } catch (InterruptedException e) {
            // No thread interrupts it.
            failure = e;
        }
    }

    /** After a failure pieces are discarded, so that the caller does not wait for ever. */
    private void written(ByteBuffer piece) {
        try {
            now(piece);
        } catch (StoreException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private void check() throws StoreException {
        Throwable cause = failure;
        switch (cause) {
            case null -> {}
            case StoreException e -> throw e;
            default -> throw new IllegalStateException("a bug ended the writing of an object", cause);
        }
    }

    /** Nothing is left under way. There is always room for the end: it is one more than there are buffers. */
    private void end() {
        Thread running = thread;
        if (running == null) {
            return;
        }
        thread = null;
        writers.decrementAndGet();
        full.add(ByteBuffer.allocate(0));
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end();
        more.forEach(scratches::giveBack);
    }
}
