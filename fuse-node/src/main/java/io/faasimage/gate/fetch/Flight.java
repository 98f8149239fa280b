package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The fetch of one object, with its waiters. Thread-safe. */
final class Flight {
    private final Digest digest;
    private final Attempts attempts;
    private final Deadline deadline;
    private final CompletableFuture<FetchOutcome> outcome = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CompletableFuture<Future<?>> task = new CompletableFuture<>();

    Flight(Digest digest, Attempts attempts, Deadline deadline) {
        this.digest = digest;
        this.attempts = attempts;
        this.deadline = deadline;
    }

    Digest digest() {
        return digest;
    }

    Attempts attempts() {
        return attempts;
    }

    Deadline deadline() {
        return deadline;
    }

    void runOn(ExecutorService workers, Runnable work) {
        task.complete(workers.submit(work));
    }

    /** Interrupts the work, or keeps it from starting. */
    void interrupt() {
        CompletableFuture<Void> _ = task.thenAccept(running -> running.cancel(true));
    }

    /** Waits up to the flight's deadline, which moves on while bytes come. */
    FetchOutcome await() throws InterruptedException, TimeoutException {
        while (true) {
            try {
                return outcome.get(deadline.left(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (deadline.left() <= 0) {
                    throw e;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a flight ends with an outcome only", e);
            }
        }
    }

    /** True for the one caller who may count the end and then {@link #finish}. */
    boolean claimEnd() {
        return ending.compareAndSet(false, true);
    }

    /** Passes the outcome to all waiters; a second outcome is ignored. */
    void finish(FetchOutcome result) {
        outcome.complete(result);
    }

    /** The outcome of a flight whose end is claimed. */
    FetchOutcome outcome() {
        return outcome.join();
    }
}
