package io.faasimage.registry.child;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A pool of children that have ended a job well and wait for the next one: the code of a new one is not compiled yet
 * (decision 49). Thread-safe.
 */
final class KeptChildren implements AutoCloseable {
    private static final Duration IDLE = Duration.ofMinutes(3);

    /**
     * A child that waits.
     *
     * @param turn which wait of all; a child may wait again
     */
    private record Kept(ChildProcess child, long turn) {}

    private final int most;
    /** The one that has waited longest first. */
    private final Deque<Kept> waiting = new ArrayDeque<>();

    private long turns;
    private boolean closed;

    /** A pool of {@code most} children. */
    KeptChildren(int most) {
        this.most = most;
    }

    /** The child that has waited for the shortest time. */
    synchronized Optional<ChildProcess> take() {
        return Optional.ofNullable(waiting.pollLast()).map(Kept::child);
    }

    /** Keeps a child for the next job, for some minutes; or ends it. */
    void keep(ChildProcess child) {
        synchronized (this) {
            if (!closed && waiting.size() < most) {
                Kept kept = new Kept(child, turns++);
                waiting.addLast(kept);
                CompletableFuture.delayedExecutor(IDLE.toSeconds(), TimeUnit.SECONDS)
                        .execute(() -> end(kept));
                return;
            }
        }
        child.close();
    }

    /** Ends a child if it has not been taken since. */
    private void end(Kept kept) {
        synchronized (this) {
            if (!waiting.remove(kept)) {
                return;
            }
        }
        kept.child.close();
    }

    /** Ends all waiting children, and from now on each that arrives. */
    @Override
    public void close() {
        Deque<Kept> all;
        synchronized (this) {
            closed = true;
            all = new ArrayDeque<>(waiting);
            waiting.clear();
        }
        all.forEach(kept -> kept.child.close());
    }
}
