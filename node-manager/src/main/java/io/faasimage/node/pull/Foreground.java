package io.faasimage.node.pull;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The count of requests that starts wait for. Background work waits while there is one, and some time longer, because a
 * start makes its requests one after the other. Thread-safe.
 */
final class Foreground {
    private static final long LOOK_MILLIS = 20;

    private final long calmNanos;
    private int active;
    private long last;

    /** Nothing is active; {@code calm} is how long background work waits after the last. */
    Foreground(Duration calm) {
        this.calmNanos = calm.toNanos();
        this.last = System.nanoTime() - calmNanos;
    }

    /** Work begins that a start waits for; ends with the close. */
    synchronized Work begin() {
        active++;
        return this::end;
    }

    /** Work under way. */
    @FunctionalInterface
    interface Work extends AutoCloseable {
        @Override
        void close();
    }

    private synchronized void end() {
        active--;
        last = System.nanoTime();
    }

    /**
     * Waits until nothing is active and nothing has been for a while.
     *
     * @param unless ends the wait at once; looked at now and then
     */
    void awaitCalm(BooleanSupplier unless) throws InterruptedException {
        // Outside the lock: the condition may take locks of its own.
        while (!isCalm() && !unless.getAsBoolean()) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private synchronized boolean isCalm() {
        return active == 0 && last + calmNanos - System.nanoTime() <= 0;
    }
}
