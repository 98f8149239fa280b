package io.faasimage.registry.child;

import io.faasimage.registry.tenant.TenantName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A pool of children that have ended a job well and wait for the next one of their tenant: the code of a new one is not
 * compiled yet (decision 49). Thread-safe.
 */
final class KeptChildren implements AutoCloseable {
    private static final Duration IDLE = Duration.ofMinutes(3);

    /**
     * A child that waits.
     *
     * @param turn which wait of all; a child may wait again
     */
    private record Kept(TenantName tenant, ChildProcess child, long turn) {}

    private final int most;
    /** The one that has waited longest first. */
    private final Deque<Kept> waiting = new ArrayDeque<>();

    private long turns;
    private boolean closed;

    /** A pool of {@code most} children. */
    KeptChildren(int most) {
        this.most = most;
    }

    /**
     * A child that waits for a job of {@code tenant}. Where there is none, the one that has waited longest for another
     * tenant is ended, so that a new child does not take memory besides all of these.
     */
    Optional<ChildProcess> take(TenantName tenant) {
        Optional<ChildProcess> found = Optional.empty();
        Optional<ChildProcess> ended = Optional.empty();
        synchronized (this) {
            Iterator<Kept> latestFirst = waiting.descendingIterator();
            while (found.isEmpty() && latestFirst.hasNext()) {
                Kept kept = latestFirst.next();
                if (kept.tenant.equals(tenant)) {
                    latestFirst.remove();
                    found = Optional.of(kept.child);
                }
            }
            if (found.isEmpty()) {
                ended = Optional.ofNullable(waiting.pollFirst()).map(Kept::child);
            }
        }
        ended.ifPresent(ChildProcess::close);
        return found;
    }

    /** Keeps a child for the next job, for some minutes; or ends it. */
    void keep(TenantName tenant, ChildProcess child) {
        synchronized (this) {
            if (!closed && waiting.size() < most) {
                Kept kept = new Kept(tenant, child, turns++);
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

    /** Ends all that wait, and from now on all that come. */
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
