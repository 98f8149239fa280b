package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.FunctionKey;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The wishes that wait, one for each function, in the order in which they came; a function has one worker at a time.
 * Thread-safe; {@link #offer} never blocks for long.
 */
final class WishQueue {
    /**
     * A wish and its failed attempts; it waits until {@code notBefore}, in nanoseconds of the system's timer.
     */
    record Entry(Wish wish, int failed, long notBefore) {}

    private final int capacity;
    private final Map<FunctionKey, Entry> waiting = new LinkedHashMap<>();
    private final Set<FunctionKey> underWay = new HashSet<>();
    private boolean closed;

    WishQueue(int capacity) {
        this.capacity = capacity;
    }

    /** False when there is no room. */
    synchronized boolean offer(Wish wish) {
        if (closed || (!waiting.containsKey(wish.key()) && waiting.size() >= capacity)) {
            return false;
        }
        waiting.remove(wish.key());
        waiting.put(wish.key(), new Entry(wish, 0, System.nanoTime()));
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
                if (underWay.contains(entry.wish().key())) {
                    continue;
                }
                if (entry.notBefore() - now <= 0) {
                    i.remove();
                    underWay.add(entry.wish().key());
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
        underWay.remove(entry.wish().key());
        notifyAll();
    }

    /** It failed and waits again, unless something newer is wished for the same function. */
    synchronized void again(Entry entry, long pauseNanos) {
        underWay.remove(entry.wish().key());
        waiting.putIfAbsent(
                entry.wish().key(), new Entry(entry.wish(), entry.failed() + 1, System.nanoTime() + pauseNanos));
        notifyAll();
    }

    /** Waiting and under way. */
    synchronized int size() {
        return waiting.size() + underWay.size();
    }

    /** Whether something is wished for this function, or being done. */
    synchronized boolean has(FunctionKey key) {
        return waiting.containsKey(key) || underWay.contains(key);
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
