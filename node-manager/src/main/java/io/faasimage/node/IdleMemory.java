package io.faasimage.node;

import io.faasimage.node.pull.Pulls;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A timer that returns the memory of pulls to the system some seconds after the last one: an agent is idle most of the
 * time, and a heap that is not collected does not shrink. After such a collection the first call of each compiled
 * method is slow, which the next start does not have to pay.
 */
final class IdleMemory implements AutoCloseable {
    private static final int LOOK_SECONDS = 5;

    private final Pulls pulls;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("idle-memory").daemon().factory());
    private final Runnable after;
    private boolean used;

    /**
     * Begins to look.
     *
     * @param after repeats the calls of a start; runs after each collection, on this thread
     */
    IdleMemory(Pulls pulls, Runnable after) {
        this.pulls = pulls;
        this.after = after;
        var _ = timer.scheduleWithFixedDelay(this::look, 2 * LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        boolean busy = pulls.endedWithin(LOOK_SECONDS);
        if (!busy && used) {
            System.gc();
            after.run();
        }
        used = busy;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
