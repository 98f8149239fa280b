package io.faasimage.node.containerd.snapshot;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Walks over the files of snapshots, a few at a time, on threads of their own. Thread-safe. */
final class FileWalks implements AutoCloseable {
    private static final int WALKS_AT_ONCE = 2;

    private final ExecutorService threads = Executors.newFixedThreadPool(
            WALKS_AT_ONCE, Thread.ofPlatform().daemon().name("walk-", 0).factory());

    /** Runs {@code walk} and waits for it. */
    <T> T run(Callable<T> walk) throws IOException {
        Future<T> result = threads.submit(walk);
        try {
            return result.get();
        } catch (InterruptedException e) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted during a walk over a snapshot's files");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
