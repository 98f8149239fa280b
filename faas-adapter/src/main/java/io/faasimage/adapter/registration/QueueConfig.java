package io.faasimage.adapter.registration;

import java.time.Duration;

/**
 * Limits of the queue.
 *
 * @param capacity functions that may wait; changes for more are lost until the next catch-up
 * @param workers requests to registry-service at the same time
 * @param attempts per change; then it is lost until the next catch-up
 * @param firstPause after a failed attempt; the later ones double
 * @param longestPause bound of that
 */
public record QueueConfig(int capacity, int workers, int attempts, Duration firstPause, Duration longestPause) {
    /** Checks the limits. */
    public QueueConfig {
        if (capacity < 1 || workers < 1 || workers > 64 || attempts < 1) {
            throw new IllegalArgumentException("the registration queue's limits must be positive, workers 64 at most");
        }
        if (firstPause.isNegative() || firstPause.isZero() || longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("the pauses between registrations must be positive and grow");
        }
    }

    /** Before the next attempt after {@code failed} ones. */
    Duration pause(int failed) {
        Duration pause = firstPause.multipliedBy(1L << Math.min(failed - 1, 20));
        return pause.compareTo(longestPause) > 0 ? longestPause : pause;
    }
}
