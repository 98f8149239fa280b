package io.faasimage.node.pull;

import io.faasimage.node.event.Events;
import io.faasimage.node.registry.RequestBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What went wrong in one pull: how often in a row, and a few reasons. Thread-safe. */
final class PullFailures {
    private static final int KEPT = 5;
    private static final int MOST_PAUSES = 20;
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

    private final int attempts;
    private final Duration pause;
    private final List<String> reasons = new ArrayList<>();
    private int inARow;
    private int pauses;

    PullFailures(PullConfig config) {
        this.attempts = config.attempts();
        this.pause = config.backoff();
    }

    /** Something came. */
    synchronized void reset() {
        inARow = 0;
        pauses = 0;
    }

    /** Waits longer after each failure in a row; false when there were too many, or the thread is interrupted. */
    boolean again(IOException failure) {
        Duration wait;
        synchronized (this) {
            inARow++;
            if (inARow >= attempts) {
                add(Events.reason(failure));
                return false;
            }
            wait = pause.multipliedBy(1L << Math.min(10, inARow - 1));
        }
        try {
            Thread.sleep(wait);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits for the pause that the registry asked for; false when it has asked for too many in a row. */
    boolean awaitBudget(RequestBudget budget) {
        synchronized (this) {
            if (++pauses > MOST_PAUSES) {
                return false;
            }
        }
        try {
            return budget.await(LONGEST_PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    synchronized void add(String reason) {
        if (reasons.size() < KEPT && !reasons.contains(reason)) {
            reasons.add(reason);
        }
    }

    /** At least one. */
    synchronized List<String> reasons() {
        return reasons.isEmpty() ? List.of("the registry did not send them") : List.copyOf(reasons);
    }
}
