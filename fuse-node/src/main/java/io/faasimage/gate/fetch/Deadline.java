package io.faasimage.gate.fetch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Until when a flight may continue: for a stall after its last byte, and not beyond the cap in any case. Before it
 * begins the bytes of all flights count, for it waits for those to end. Thread-safe. Times are those of
 * {@link System#nanoTime}.
 */
final class Deadline {
    private final FetchLimits limits;
    private final AtomicLong lastOfAll;
    private final long start = System.nanoTime();
    private volatile long lastByte = start;
    private volatile boolean begun;

    /** From now on; {@code lastOfAll} is when the last byte of any flight came. */
    Deadline(FetchLimits limits, AtomicLong lastOfAll) {
        this.limits = limits;
        this.lastOfAll = lastOfAll;
    }

    /** From here on only the flight's own bytes count. */
    void begin() {
        lastByte = later(start, lastOfAll.get());
        begun = true;
    }

    /** Some bytes of the flight have come. */
    void bytesCame() {
        long now = System.nanoTime();
        lastByte = now;
        lastOfAll.set(now);
    }

    /** Nanoseconds that are left now; more when bytes come. */
    long left() {
        long last = begun ? lastByte : later(start, lastOfAll.get());
        long stalled = last + limits.stall().toNanos() - System.nanoTime();
        return Math.min(stalled, untilCap());
    }

    /** Whether the cap is reached, with bytes coming or not. */
    boolean isCapped() {
        return untilCap() <= 0;
    }

    private long untilCap() {
        return start + limits.cap().toNanos() - System.nanoTime();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
