package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.FunctionKey;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue of changes, at most one waiting for each function, in the order of their arrival; a function has one worker
 * at a time. Thread-safe; {@link #offer} never blocks for long.
 */
final class RegistrationQueue {
    /**
     * A change and its failed attempts; it waits until {@code notBefore}, in nanoseconds of the system's timer.
     */
    record Entry(RegistrationChange change, int failed, long notBefore) {}

    private final int capacity;
    private final Map<FunctionKey, Entry> waiting = new LinkedHashMap<>();
    private final Set<FunctionKey> underWay = new HashSet<>();
    private boolean closed;

    RegistrationQueue(int capacity) {
        this.capacity = capacity;
    }

    /** False when there is no room. */
    synchronized boolean offer(RegistrationChange change) {
        if (closed || (!waiting.containsKey(change.key()) && waiting.size() >= capacity)) {
            return false;
        }
        waiting.remove(change.key());
        waiting.put(change.key(), new Entry(change, 0, System.nanoTime()));
        notifyAll();
        return true;
    }

    /**
     * The next one that may be tried, waited for; null when the queue is closed. Ends with {@link #done} or
     * {@link #again}.
     */
    synchronized @Nullable Entry take() throws InterruptedException {
        while (!closed) {
            long now = System.nanoTime();
            long wait = Long.MAX_VALUE;
            for (Iterator<Entry> i = waiting.values().iterator(); i.hasNext(); ) {
                Entry entry = i.next();
                if (underWay.contains(entry.change().key())) {
                    continue;
                }
                if (entry.notBefore() - now <= 0) {
                    i.remove();
                    underWay.add(entry.change().key());
                    return entry;
                }
                wait = Math.min(wait, entry.notBefore() - now);
            }
            if (wait == Long.MAX_VALUE) {
                wait();
            } else {
                wait(wait / 1_000_000 + 1);
            }
        }
        return null;
    }

    synchronized void done(Entry entry) {
        underWay.remove(entry.change().key());
        notifyAll();
    }

    /** Lets a failed change wait again, unless a newer one waits for the same function. */
    synchronized void again(Entry entry, long pauseNanos) {
        underWay.remove(entry.change().key());
        waiting.putIfAbsent(
                entry.change().key(), new Entry(entry.change(), entry.failed() + 1, System.nanoTime() + pauseNanos));
        notifyAll();
    }

    /** The number of changes that wait or are under way. */
    synchronized int size() {
        return waiting.size() + underWay.size();
    }

    /** Whether a change of this function waits or is under way. */
    synchronized boolean has(FunctionKey key) {
        return waiting.containsKey(key) || underWay.contains(key);
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
