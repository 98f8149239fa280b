package io.faasimage.registry.platform.list;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A view that is read from the database for each request while that is quick. One that takes longer may be some seconds
 * old, and the next one is read behind it; after a minute it is read before it is shown. Thread-safe.
 *
 * @param <T> type of the view, immutable
 */
public final class SlowView<T> {
    private static final Duration QUICK = Duration.ofMillis(50);
    private static final Duration OLD = Duration.ofMinutes(1);

    /** A view is fresh for so many times as long as its reading took, and ten seconds at most. */
    private static final int FRESH_FACTOR = 20;

    private static final Duration FRESH = Duration.ofSeconds(10);

    private record Snapshot<T>(T view, long made, long took) {
        boolean isQuick() {
            return took <= QUICK.toNanos();
        }

        boolean isFresh(long now) {
            return now - made < Math.min(FRESH_FACTOR * took, FRESH.toNanos());
        }

        boolean isOld(long now) {
            return now - made > OLD.toNanos();
        }
    }

    private final String name;
    private final Supplier<T> source;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Snapshot<T> last;

    /**
     * A view that has not been read yet.
     *
     * @param name of the thread that reads it in the background
     * @param source reads it
     */
    public SlowView(String name, Supplier<T> source) {
        this.name = name;
        this.source = source;
    }

    /** The view. */
    public T get() {
        Snapshot<T> known = last;
        long now = System.nanoTime();
        if (known == null || known.isQuick() || known.isOld(now)) {
            return read(now);
        }
        if (!known.isFresh(now) && !reading.isLocked()) {
            Thread.ofVirtual().name(name).start(() -> read(now));
        }
        return known.view();
    }

    private T read(long asked) {
        reading.lock();
        try {
            Snapshot<T> other = last;
            if (other != null && other.made() - other.took() - asked > 0) {
                return other.view();
            }
            long begin = System.nanoTime();
            T view = source.get();
            long end = System.nanoTime();
            last = new Snapshot<>(view, end, end - begin);
            return view;
        } finally {
            reading.unlock();
        }
    }
}
