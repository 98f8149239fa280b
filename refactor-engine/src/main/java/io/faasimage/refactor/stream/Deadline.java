package io.faasimage.refactor.stream;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A time limit of what the current thread does, which is interrupted when it has passed; the sockets of a virtual thread
 * close with that. Ended by the thread that started it.
 */
public final class Deadline implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final CompletableFuture<Void> timer;
    private boolean ended;
    private boolean passed;
    private boolean interrupted;

    private Deadline(Duration limit) {
        timer = CompletableFuture.runAsync(
                this::pass, CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** A deadline of the current thread, {@code limit} from now. */
    public static Deadline in(Duration limit) {
        return new Deadline(limit);
    }

    private synchronized void pass() {
        if (!ended) {
            ended = true;
            passed = true;
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Ends the limit, whose interrupt is cleared; whether it had passed. */
    public synchronized boolean end() {
        if (!ended) {
            ended = true;
            timer.cancel(false);
        }
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
        return passed;
    }

    @Override
    public void close() {
        end();
    }
}
