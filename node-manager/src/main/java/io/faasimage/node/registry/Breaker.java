package io.faasimage.node.registry;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: after a failure nobody waits for the registry for a while. After that time one request at a time is
 * let through again by its own outcome. Thread-safe.
 */
public final class Breaker {
    private final long pauseNanos;
    private final LongSupplier nanoTime;
    private @Nullable Failure last;
    private long failures;

    private record Failure(long at, String reason) {}

    /**
     * A closed breaker.
     *
     * @param pause how long after a failure requests are refused
     * @param nanoTime a monotonic clock in nanoseconds
     */
    public Breaker(Duration pause, LongSupplier nanoTime) {
        this.pauseNanos = pause.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Why no request may be sent now; empty when one may. */
    public synchronized Optional<String> refusal() {
        Failure failure = last;
        if (failure == null || nanoTime.getAsLong() - failure.at() >= pauseNanos) {
            return Optional.empty();
        }
        return Optional.of(failure.reason());
    }

    /** How often the registry did not answer, or not sensibly. */
    public synchronized long failures() {
        return failures;
    }

    /** The registry answered. */
    public synchronized void succeeded() {
        last = null;
    }

    /** The registry did not answer, or not sensibly. */
    public synchronized void failed(String reason) {
        failures++;
        last = new Failure(nanoTime.getAsLong(), reason);
    }
}
