package io.faasimage.node.pull;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.RequestBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The failures of one pull, and the decision whether to retry. Thread-safe. */
final class PullFailures {
    private static final int KEPT = 5;
    private static final long PROGRESS_BYTES = 1 << 20;

    private final Duration patience;
    private final Backoff backoff;
    private final Progress progress = new Progress();
    private final List<String> reasons = new ArrayList<>();
    private int inARow;
    private long bytes;

    PullFailures(PullConfig config) {
        this.patience = config.patience();
        this.backoff = config.pauses();
    }

    /** Some of an object came. Less than a certain number of bytes is no progress: a source may drip. */
    synchronized void bytesCame(long count) {
        bytes += count;
        if (bytes >= PROGRESS_BYTES) {
            bytes = 0;
            progress.bytesCame();
        }
    }

    /** Something came whole. */
    synchronized void reset() {
        progress.bytesCame();
        inARow = 0;
        backoff.reset();
    }

    /** Waits longer after each failure in a row; false when nothing has come for too long, or when interrupted. */
    boolean again(IOException failure) {
        Duration pause;
        synchronized (this) {
            inARow++;
            pause = backoff.next();
        }
        if (System.nanoTime() + pause.toNanos() - progress.last() > patience.toNanos()) {
            add(Events.reason(failure));
            return false;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the last failure was not the first in a row. */
    synchronized boolean isRepeated() {
        return inARow > 1;
    }

    /** Waits for the pause that the service requested; false when nothing has come for too long. */
    boolean awaitBudget(RequestBudget budget) {
        try {
            long left = progress.last() + patience.toNanos() - System.nanoTime();
            return left > 0 && budget.await(Duration.ofNanos(left));
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
        return reasons.isEmpty() ? List.of("the service did not send them") : List.copyOf(reasons);
    }
}
