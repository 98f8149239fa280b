package io.faasimage.adapter;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread does: asks again until it is so, or fails. */
public final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Await() {}

    public static void until(String what, BooleanSupplier question) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!question.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
