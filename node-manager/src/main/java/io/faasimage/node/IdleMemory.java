package io.faasimage.node;

import io.faasimage.node.pull.Pulls;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Gives the memory of pulls back to the machine some seconds after the last one: an agent is idle most of the time, and a heap
 * that is not collected does not shrink.
 */
final class IdleMemory implements AutoCloseable {
    private static final int LOOK_SECONDS = 5;

    private final Pulls pulls;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("idle-memory").daemon().factory());
    private boolean used = true;

    /** Begins to look. */
    IdleMemory(Pulls pulls) {
        this.pulls = pulls;
        var _ = timer.scheduleWithFixedDelay(this::look, 2 * LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        boolean busy = pulls.endedWithin(LOOK_SECONDS);
        if (!busy && used) {
            System.gc();
        }
        used = busy;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
