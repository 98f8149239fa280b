package io.faasimage.node.plans.prefetch;

import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStates;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The marks on the disk of plans whose prefetch list is complete. A mark is written when the pulled objects have been
 * flushed, by a thread of its own. Thread-safe.
 */
final class CompletionMarks implements AutoCloseable {
    private static final String TOPIC = "plan";
    private static final int FLUSH_SECONDS = 10;
    /** A node that is never calm marks its plans, too. */
    private static final long MOST_CALM_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final PlanStates states;
    private final Pulls pulls;
    private final Events events;
    private volatile boolean closing;
    /** Ended in order, so that no mark is written behind {@link #close}. */
    private final ExecutorService flushes = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("checkpoint").daemon().factory());

    CompletionMarks(PlanStates states, Pulls pulls, Events events) {
        this.states = states;
        this.pulls = pulls;
        this.events = events;
    }

    /**
     * Marks a plan once the pulled objects are on the disk, unless it is not present any more by then. Returns at once.
     */
    void mark(StoredPlan plan, PullReport report) {
        try {
            flushes.execute(() -> makeDurable(plan, report));
        } catch (RejectedExecutionException e) {
            events.info(TOPIC, "plan " + plan.digest() + " is not marked as complete: the node shuts down");
        }
    }

    /** Not in the middle of the start that the pull was for: flushing some hundred megabytes would slow it. */
    private void makeDurable(StoredPlan plan, PullReport report) {
        try {
            if (report.objects() > 0) {
                long end = System.nanoTime() + MOST_CALM_NANOS;
                pulls.awaitCalm(() -> closing || System.nanoTime() - end >= 0);
                pulls.store().checkpoint();
            }
            states.markComplete(plan.digest());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            events.error(TOPIC, "could not flush plan " + plan.digest() + " to the disk: " + Events.reason(e));
        }
    }

    /** Ends the work in the background; bounded. */
    @Override
    public void close() {
        closing = true;
        flushes.shutdown();
        try {
            if (!flushes.awaitTermination(FLUSH_SECONDS, TimeUnit.SECONDS)) {
                events.error(TOPIC, "pulled objects are not flushed to the disk after " + FLUSH_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
