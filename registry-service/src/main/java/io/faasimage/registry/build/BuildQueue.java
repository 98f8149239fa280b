package io.faasimage.registry.build;

import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.LeaseRequest;
import io.faasimage.registry.problem.ProblemException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The builds and checks that wait for a builder, and the leases of those that builders have. A lease ends when its builder has not reported for half a minute, or is known
 * to have died; its work is then given to the next builder, and given up after {@value #MAX_ATTEMPTS} attempts.
 * Thread-safe.
 */
final class BuildQueue {
    /** How often work is begun. */
    static final int MAX_ATTEMPTS = 3;

    /** How long a builder may be silent. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** A builder that died while it waited for work does not answer at all. */
    static final Duration FIRST = Duration.ofSeconds(5);

    /** The longest that a request for work waits. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger(BuildQueue.class);

    private final int room;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private final Map<String, Lease> leases = new HashMap<>();
    private @Nullable String gone;
    private boolean closed;

    /** Work that waits: it was given to a builder so often, and {@code attempts} of these began. */
    private record Entry(BuilderWork work, int given, int attempts) {}

    /** Work that a builder has; {@code heard} is whether it has reported. */
    private record Lease(Entry entry, String builder, long until, boolean heard) {}

    /** A queue for {@code room} builds, and as many checks. */
    BuildQueue(int room, LongSupplier nanoTime) {
        this.room = room;
        this.nanoTime = nanoTime;
    }

    /** Whether one more may wait. */
    boolean hasRoom(BuildTask.Kind kind) {
        lock.lock();
        try {
            return waiting.stream()
                            .map(Entry::work)
                            .filter(work -> work.kind() == kind)
                            .count()
                    < room;
        } finally {
            lock.unlock();
        }
    }

    /** Adds work; false when there is no room for it, or the service ends. */
    boolean offer(BuilderWork work) {
        lock.lock();
        try {
            if (closed || !hasRoom(work.kind())) {
                return false;
            }
            waiting.addLast(new Entry(work, 0, 0));
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets work that nobody waits for. */
    void withdraw(BuilderWork work) {
        lock.lock();
        try {
            waiting.removeIf(entry -> entry.work().equals(work));
            leases.values().removeIf(lease -> lease.entry().work().equals(work));
        } finally {
            lock.unlock();
        }
    }

    /** Gives work to a builder; empty when none came in the time that it waits. */
    Optional<BuildTask> lease(LeaseRequest request) throws InterruptedException {
        String id = UUID.randomUUID().toString();
        Optional<Entry> entry = await(id, request);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        boolean given = false;
        try {
            BuildTask task = entry.get().work().task(id, entry.get().given() + 1);
            given = true;
            LOG.info("{} of build {} is given to builder '{}'", task.kind(), task.build(), request.builder());
            return Optional.of(task);
        } finally {
            if (!given) {
                release(id);
            }
        }
    }

    private Optional<Entry> await(String id, LeaseRequest request) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(Math.clamp(request.waitMillis(), 0, LONGEST_WAIT.toMillis()));
        lock.lock();
        try {
            while (true) {
                Optional<Entry> first =
                        closed || request.builder().equals(gone) ? Optional.empty() : next(request.kind());
                if (first.isPresent()) {
                    waiting.remove(first.get());
                    leases.put(
                            id,
                            new Lease(first.get(), request.builder(), nanoTime.getAsLong() + FIRST.toNanos(), false));
                    return first;
                }
                if (left <= 0 || closed || request.builder().equals(gone)) {
                    return first;
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private Optional<Entry> next(BuildTask.Kind kind) {
        return waiting.stream().filter(entry -> entry.work().kind() == kind).findFirst();
    }

    /**
     * The work of a lease, which it extends.
     *
     * @throws ProblemException when it is none, or not any more
     */
    BuilderWork extend(String id) {
        lock.lock();
        try {
            Lease lease = leases.get(id);
            if (lease == null) {
                throw ProblemException.notFound(
                        "there is no such lease of a build: it has ended, or its builder was silent for too long");
            }
            leases.put(id, new Lease(lease.entry(), lease.builder(), nanoTime.getAsLong() + LEASE.toNanos(), true));
            return lease.entry().work();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a lease whose work has ended; false when another call did. */
    boolean end(String id) {
        lock.lock();
        try {
            return leases.remove(id) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a lease whose builder does not go on: the work is given to the next one, or given up. */
    void release(String id) {
        endLeases(List.of(id), "the builder stopped");
    }

    /** Ends the leases of builders that were silent for too long. */
    void expire() {
        List<String> old = new ArrayList<>();
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            leases.forEach((id, lease) -> {
                if (lease.until() - now < 0) {
                    old.add(id);
                }
            });
        } finally {
            lock.unlock();
        }
        endLeases(old, "the builder did not answer for " + LEASE.toSeconds() + " s");
    }

    /** A builder has died, and does not come back under its name; its requests for work end at once. */
    void gone(String builder) {
        List<String> its = new ArrayList<>();
        lock.lock();
        try {
            gone = builder;
            changed.signalAll();
            leases.forEach((id, lease) -> {
                if (lease.builder().equals(builder)) {
                    its.add(id);
                }
            });
        } finally {
            lock.unlock();
        }
        endLeases(its, "the builder died");
    }

    private void endLeases(List<String> ids, String reason) {
        List<Entry> lost = new ArrayList<>();
        lock.lock();
        try {
            for (String id : ids) {
                Lease lease = leases.remove(id);
                if (lease == null) {
                    continue;
                }
                Entry entry = lease.entry();
                // One that never reported has begun nothing.
                int attempts = entry.attempts() + (lease.heard() ? 1 : 0);
                if (attempts >= MAX_ATTEMPTS) {
                    lost.add(entry);
                } else {
                    LOG.warn(
                            "{} of build {} waits for a builder again: {}",
                            entry.work().kind(),
                            entry.work().build(),
                            reason);
                    waiting.addFirst(new Entry(entry.work(), entry.given() + 1, attempts));
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        lost.forEach(
                entry -> entry.work().lost(reason + ", in each of " + MAX_ATTEMPTS + " attempts; its log says why"));
    }

    /** Takes no more work, and gives back all that has not ended. */
    List<BuilderWork> close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            List<BuilderWork> all = new ArrayList<>();
            for (Iterator<Entry> i = waiting.iterator(); i.hasNext(); i.remove()) {
                all.add(i.next().work());
            }
            leases.values().forEach(lease -> all.add(lease.entry().work()));
            leases.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }
}
