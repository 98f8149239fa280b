package io.faasimage.node.plans.storage;

import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The timer that keeps the object store within its budgets: the least recently used objects leave the node. One
 * thread, which looks every few seconds. Thread-safe; a second pass waits for the first.
 */
public final class StorageKeeper implements AutoCloseable {
    private static final String TOPIC = "storage";

    private final UnusedPlans unused;
    private final Eviction eviction;
    private final Pruning pruning;
    private final Duration pause;
    private final Events events;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("storage").daemon().factory());

    /**
     * Does nothing before {@link #start}.
     *
     * @param pause from one look to the next
     * @param events receives failures
     */
    public StorageKeeper(UnusedPlans unused, Eviction eviction, Pruning pruning, Duration pause, Events events) {
        this.unused = unused;
        this.eviction = eviction;
        this.pruning = pruning;
        this.pause = pause;
        this.events = events;
    }

    /** Begins to look. */
    public void start() {
        var _ = timer.scheduleWithFixedDelay(() -> guarded(this::pass), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A step that may fail. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private void guarded(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException | Error e) {
            // A task that throws is not run again.
            events.error(TOPIC, "could not maintain the object store: " + Events.reason(e));
        }
    }

    /** One look at everything. */
    synchronized void pass() throws IOException {
        unused.countUse();
        unused.flush();
        eviction.run();
    }

    /** Notes the use of the plans that containers run on. */
    void touchUsed() {
        unused.touchUsed();
    }

    /** Removes the plans that were unused for long. */
    synchronized void forgetUnused() throws IOException {
        unused.forgetUnused();
    }

    /**
     * Drops the objects that no plan here needs; with {@code all} every plan, too, that no container runs on and no
     * pull is for.
     *
     * @throws IOException when something could not be dropped; the rest was dropped
     */
    public synchronized PruneOutcome prune(boolean all) throws IOException {
        return pruning.prune(all);
    }

    /** Objects that left the node for want of room since this began. */
    public long evictedObjects() {
        return eviction.evictedObjects();
    }

    /** Bytes of these. */
    public long evictedBytes() {
        return eviction.evictedBytes();
    }

    /** Most bytes of objects; no limit when 0. */
    public long budget() {
        return eviction.budget();
    }

    /** Ends the work, after the step that is being done. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(10, TimeUnit.SECONDS)) {
                timer.shutdownNow();
                events.info(TOPIC, "a pass over the object store was cut short: the node shuts down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        unused.flush();
    }
}
