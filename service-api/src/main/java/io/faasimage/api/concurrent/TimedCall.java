package io.faasimage.api.concurrent;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call with a time limit. It runs on a virtual thread of its own, which is interrupted when the limit is over: a
 * virtual thread's sockets close with its interrupt.
 */
public final class TimedCall {
    private TimedCall() {}

    /** The time is over. */
    public static final class Late extends IOException {
        private static final long serialVersionUID = 1;

        private Late(Duration limit, TimeoutException cause) {
            super("no answer within " + limit.toMillis() + " ms", cause);
        }
    }

    /**
     * Calls {@code work}.
     *
     * @param thread name of its thread
     * @throws Late when it takes longer than {@code limit}
     * @throws InterruptedIOException when the caller is interrupted, which it stays
     * @throws IOException as the work throws it; also its unchecked exceptions are thrown as they are
     */
    public static <T> T run(String thread, Duration limit, Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().name(thread).start(task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new Late(limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IOException(e.getCause());
            }
        } finally {
            task.cancel(true);
        }
    }
}
