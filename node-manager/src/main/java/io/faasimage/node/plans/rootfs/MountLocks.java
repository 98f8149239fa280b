package io.faasimage.node.plans.rootfs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Locks to hold over a mount, one for each mounted thing. A mount may take as long as the gate below it does not
 * answer; it must block only the callers that want the same thing. Thread-safe.
 *
 * @param <K> identifies the mounted thing
 */
public final class MountLocks<K> {
    private final Map<K, Entry> entries = new ConcurrentHashMap<>();

    private static final class Entry {
        final ReentrantLock lock = new ReentrantLock();
        int users;
    }

    /** A lock that is released on close, by the thread that took it. */
    @FunctionalInterface
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits for the lock of {@code key}. */
    public Held take(K key) {
        Entry entry = entries.compute(key, (_, there) -> {
            Entry used = there == null ? new Entry() : there;
            used.users++;
            return used;
        });
        entry.lock.lock();
        return () -> {
            entry.lock.unlock();
            entries.computeIfPresent(key, MountLocks::left);
        };
    }

    private static <K> @Nullable Entry left(K key, Entry entry) {
        entry.users--;
        return entry.users == 0 ? null : entry;
    }
}
