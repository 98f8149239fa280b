package io.faasimage.node.pull;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time limit of one look-up: it ends when the limit has passed since the last byte that arrived for it, or for the
 * fetch that it waits for, or at a cap. For one thread; others may ask for {@link #last}.
 */
final class Patience {
    /** Limits that pass in any case: a source that drips makes progress for ever. */
    private static final int CAP = 20;

    private final long limitNanos;
    private final long lookNanos;
    private final long begin = System.nanoTime();
    private volatile long last = begin;

    /** Begins now; looks for progress every {@code look}. */
    Patience(Duration limit, Duration look) {
        this.limitNanos = limit.toNanos();
        this.lookNanos = look.toNanos();
    }

    /** One wait of a given length; returns whether the awaited object is there. */
    @FunctionalInterface
    interface Step {
        boolean await(long nanos) throws IOException, InterruptedException;
    }

    /** The awaited object made progress, at that time of the monotonic clock. */
    void progressed(long at) {
        last = at - last > 0 ? at : last;
    }

    /** When something last came for it; when it began, before. */
    long last() {
        return last;
    }

    boolean isOver() {
        return left() <= 0;
    }

    private long left() {
        return Math.min(last - begin, (CAP - 1) * limitNanos) + begin + limitNanos - System.nanoTime();
    }

    /**
     * Waits until it is there; false when the limit has passed.
     *
     * @param progress when it last made some
     */
    boolean await(Step step, LongSupplier progress) throws IOException {
        try {
            while (true) {
                progressed(progress.getAsLong());
                long left = left();
                if (step.await(Math.clamp(left, 0, lookNanos))) {
                    return true;
                }
                if (left <= 0) {
                    return false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while an object was being fetched", e);
        }
    }

    /** Sleeps; not longer than until the limit. */
    void sleep(Duration pause) throws IOException {
        long end = System.nanoTime() + pause.toNanos();
        await(
                nanos -> {
                    long left = end - System.nanoTime();
                    if (left > 0) {
                        TimeUnit.NANOSECONDS.sleep(Math.min(left, nanos));
                    }
                    return end - System.nanoTime() <= 0;
                },
                () -> last);
    }
}
