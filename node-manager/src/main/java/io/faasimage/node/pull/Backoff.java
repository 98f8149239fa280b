package io.faasimage.node.pull;

import java.time.Duration;

/** Counts attempts and sleeps longer before each further one. For one thread. */
final class Backoff {
    private final int attempts;
    private Duration pause;
    private int attempt;

    Backoff(PullConfig config) {
        this.attempts = config.attempts();
        this.pause = config.backoff();
    }

    /** Waits until the next attempt may be made; false when there is none, or when interrupted. */
    boolean next() {
        if (attempt == attempts) {
            return false;
        }
        if (attempt > 0) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            pause = pause.multipliedBy(2);
        }
        attempt++;
        return true;
    }

    /** The number of the attempt under way, from 1. */
    int attempt() {
        return attempt;
    }
}
