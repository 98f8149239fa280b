package io.faasimage.node.plans.lazy;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A bounded set whose elements expire after a short time. Thread-safe. */
final class Recent<T> {
    private static final int MOST = 65_536;

    private final long ageNanos;
    private final Map<T, Long> since = new ConcurrentHashMap<>();

    /** Each is remembered for {@code age}. */
    Recent(Duration age) {
        this.ageNanos = age.toNanos();
    }

    void add(Collection<? extends T> things) {
        long now = System.nanoTime();
        if (since.size() + things.size() > MOST) {
            since.values().removeIf(at -> now - at > ageNanos);
        }
        if (since.size() + things.size() <= MOST) {
            things.forEach(thing -> since.put(thing, now));
        }
    }

    void clear() {
        since.clear();
    }

    boolean contains(T thing) {
        Long at = since.get(thing);
        return at != null && System.nanoTime() - at <= ageNanos;
    }
}
