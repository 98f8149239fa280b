package io.faasimage.refactor.spool;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A pool of threads that compress a bounded number of batches: filling a new one waits for a finished one. The first
 * failure is thrown to callers that hand in a batch or wait for the end. Thread-safe.
 */
final class CompressorPool implements Closeable {
    /** Batches for each thread: one that is filled, one that is compressed, and some between them. */
    private static final int BATCHES_EACH = 4;

    /** The compression of a batch. */
    @FunctionalInterface
    interface Work {
        void run(Compressor compressor, SpoolBatch batch) throws IOException;
    }

    private final int batches;
    private final ExecutorService threads;
    private final Semaphore free;
    private final ConcurrentLinkedQueue<byte[]> arrays = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Compressor> compressors = new ConcurrentLinkedQueue<>();
    private final AtomicReference<IOException> failure = new AtomicReference<>();

    /** As many threads; at most as many batches may be filled at the same time. */
    CompressorPool(int parallelism) {
        batches = parallelism * BATCHES_EACH;
        free = new Semaphore(batches);
        threads = Executors.newFixedThreadPool(
                parallelism, Thread.ofPlatform().daemon().name("compress-", 0).factory());
    }

    /** An empty batch; waits for it. {@link #submit} or {@link #giveBack} returns it to the pool. */
    SpoolBatch batch() throws IOException {
        acquire(1);
        byte[] array = arrays.poll();
        return new SpoolBatch(array == null ? new byte[SpoolBatch.BYTES] : array);
    }

    void giveBack(SpoolBatch batch) {
        arrays.add(batch.bytes());
        free.release();
    }

    /** Runs {@code work} with a batch, which then returns to the pool. */
    void submit(SpoolBatch batch, Work work) throws IOException {
        threads.execute(() -> {
            try {
                if (failure.get() == null) {
                    run(batch, work);
                }
            } catch (IOException e) {
                failure.compareAndSet(null, e);
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, new RefactorException(Kind.LOCAL, "could not compress: " + e, e));
            } finally {
                giveBack(batch);
            }
        });
        check();
    }

    private void run(SpoolBatch batch, Work work) throws IOException {
        Compressor idle = compressors.poll();
        Compressor compressor = idle == null ? new Compressor() : idle;
        try {
            work.run(compressor, batch);
        } finally {
            compressors.add(compressor);
        }
    }

    /** Waits until all batches are done. */
    void await() throws IOException {
        acquire(batches);
        free.release(batches);
        check();
    }

    private void acquire(int permits) throws RefactorException {
        try {
            free.acquire(permits);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted while compressing", e);
        }
    }

    private void check() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** Drops the waiting batches, and returns when no thread works any more. */
    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
        compressors.forEach(Compressor::close);
    }
}
