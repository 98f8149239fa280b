package io.faasimage.system;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a state that a process of ours does not announce: asks again until it is there or the time is over. The
 * pause between two questions is as long as the question took, since one that starts a program needs a processor.
 */
final class Wait {
    private static final Duration SHORTEST = Duration.ofMillis(20);

    private Wait() {}

    /** A question that may fail while the other side is not there yet. */
    interface Question {
        boolean ask() throws IOException, InterruptedException;
    }

    static void until(Duration limit, String what, Question question) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        long asked = System.nanoTime();
        while (!question.ask()) {
            long now = System.nanoTime();
            if (now > end) {
                throw new AssertionError("waited " + limit.toSeconds() + " s for " + what);
            }
            LockSupport.parkNanos(Math.max(SHORTEST.toNanos(), now - asked));
            asked = System.nanoTime();
        }
    }
}
