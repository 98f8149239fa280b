package io.faasimage.api.concurrent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses between attempts: each twice as long as the one before, up to a longest, and spread by a quarter so that
 * nodes do not retry in step. For one thread.
 */
public final class Backoff {
    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration next;

    /** Pauses from {@code first} to {@code longest}. */
    public Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.next = first;
    }

    /** The next pause. */
    public Duration next() {
        Duration pause = next.compareTo(longest) < 0 ? next : longest;
        next = pause.multipliedBy(2);
        return pause.plusNanos(random.nextLong(pause.toNanos() / 4 + 1));
    }

    /** Begins with the first pause again, after a success. */
    public void reset() {
        next = first;
    }
}
