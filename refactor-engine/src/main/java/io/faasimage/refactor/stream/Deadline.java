package io.faasimage.refactor.stream;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A time limit of the current thread, which is interrupted when it has passed; the sockets of a virtual thread close
 * with that. Ended by the thread that started it.
 */
public final class Deadline implements AutoCloseable {
    private final CompletableFuture<Void> timer;
    /** Absent from the end on: the timer refers to this object until the limit, and the thread to buffers. */
    private @Nullable Thread thread = Thread.currentThread();

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
        if (thread != null) {
            thread.interrupt();
            thread = null;
            passed = true;
            interrupted = true;
        }
    }

    /** Ends the limit, whose interrupt is cleared; whether it had passed. */
    public synchronized boolean end() {
        if (thread != null) {
            thread = null;
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
