package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Turns of the threads of this process that write or drop the same object. Not reentrant. */
final class ObjectTurns {
    private final ConcurrentHashMap<Digest, CountDownLatch> underway = new ConcurrentHashMap<>();

    /** A change of one object. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }

    /** Runs {@code action} while no other thread of this process does anything to the object. */
    <T> T take(Digest digest, Action<T> action) throws IOException {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch other = underway.putIfAbsent(digest, mine);
        while (other != null) {
            await(other, digest);
            other = underway.putIfAbsent(digest, mine);
        }
        try {
            return action.run();
        } finally {
            underway.remove(digest);
            mine.countDown();
        }
    }

    private static void await(CountDownLatch other, Digest digest) throws InterruptedIOException {
        try {
            other.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException failure =
                    new InterruptedIOException("interrupted while another thread wrote object " + digest);
            failure.initCause(e);
            throw failure;
        }
    }
}
