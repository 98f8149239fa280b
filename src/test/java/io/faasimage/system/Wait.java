package io.faasimage.system;

import java.io.IOException;
import java.time.Duration;

/** Waits for a state that a process of ours does not announce: asks again until it is there or the time is over. */
final class Wait {
    private Wait() {}

    /** A question that may fail while the other side is not there yet. */
    interface Question {
        boolean ask() throws IOException, InterruptedException;
    }

    static void until(Duration limit, String what, Question question) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!question.ask()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + limit.toSeconds() + " s for " + what);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(20).toNanos());
        }
    }
}
