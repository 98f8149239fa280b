package io.faasimage.node.link.service;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: while the service is away, it gets no requests for plans, so that unplanned images are not
 * delayed. It opens when nothing answers at the service's address, or with the third failure in a row. Nothing else
 * obeys it: objects are requested again and again, whatever its state. Thread-safe.
 */
public final class Breaker {
    private static final int FAILURES = 3;

    private final long pauseNanos;
    private final LongSupplier nanoTime;
    private @Nullable Failure last;
    private int inARow;

    private record Failure(long at, String reason) {}

    /**
     * A closed breaker.
     *
     * @param pause how long it stays open
     * @param nanoTime a monotonic clock in nanoseconds
     */
    public Breaker(Duration pause, LongSupplier nanoTime) {
        this.pauseNanos = pause.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Why requests are refused now; empty when they are not. */
    public synchronized Optional<String> refusal() {
        Failure failure = last;
        if (failure == null || nanoTime.getAsLong() - failure.at() >= pauseNanos) {
            return Optional.empty();
        }
        return Optional.of(failure.reason());
    }

    /** The service answered. */
    synchronized void succeeded() {
        last = null;
        inARow = 0;
    }

    /** The service did not answer, or not sensibly. */
    synchronized void failed(String reason) {
        if (++inARow >= FAILURES) {
            last = new Failure(nanoTime.getAsLong(), reason);
        }
    }

    /** No server listens there. */
    synchronized void unreachable(String reason) {
        inARow = FAILURES;
        last = new Failure(nanoTime.getAsLong(), reason);
    }
}
