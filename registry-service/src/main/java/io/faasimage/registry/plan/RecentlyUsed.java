package io.faasimage.registry.plan;

import io.faasimage.format.id.Digest;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * A cache of values of plans, least recently used first out, up to a number of objects; the last used one always stays.
 * Thread-safe.
 */
final class RecentlyUsed<V> {
    private final Map<Digest, V> values = new LinkedHashMap<>(16, 0.75f, true);
    private final ToIntFunction<V> objects;
    private final long limit;
    private long held;

    RecentlyUsed(long limit, ToIntFunction<V> objects) {
        this.limit = limit;
        this.objects = objects;
    }

    synchronized Optional<V> get(Digest plan) {
        return Optional.ofNullable(values.get(plan));
    }

    synchronized void put(Digest plan, V value) {
        remove(plan);
        values.put(plan, value);
        held += objects.applyAsInt(value);
        Iterator<V> eldest = values.values().iterator();
        while (held > limit && values.size() > 1) {
            held -= objects.applyAsInt(eldest.next());
            eldest.remove();
        }
    }

    synchronized void remove(Digest plan) {
        V old = values.remove(plan);
        if (old != null) {
            held -= objects.applyAsInt(old);
        }
    }

    synchronized void clear() {
        values.clear();
        held = 0;
    }

    /** The number of objects that the values have in all. */
    synchronized long held() {
        return held;
    }

    synchronized int size() {
        return values.size();
    }
}
