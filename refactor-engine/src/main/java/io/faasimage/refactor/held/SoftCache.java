package io.faasimage.refactor.held;

import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A bounded cache of what one image is likely to have in common with the next. Least recently used first out; what else
 * needs memory comes first: values go when the heap becomes scarce. Thread-safe.
 *
 * @param <K> key
 * @param <V> value, which nobody changes
 */
public final class SoftCache<K, V> {
    private final long most;
    /** The one that was used last comes last. */
    private final SequencedMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long weight;

    private record Entry<V>(SoftReference<V> value, long weight) {}

    /** An empty cache of at most so many bytes; of 0 bytes, one that stays empty. */
    public SoftCache(long most) {
        this.most = most;
    }

    /** The value, if it is cached. */
    public synchronized Optional<V> find(K key) {
        return Optional.ofNullable(entries.get(key)).map(entry -> entry.value.get());
    }

    /** Caches a value, which takes about so many bytes; one that takes more than all is left out. */
    public synchronized void add(K key, V value, long bytes) {
        if (bytes > most) {
            return;
        }
        Entry<V> before = entries.put(key, new Entry<>(new SoftReference<>(value), bytes));
        weight += bytes - (before == null ? 0 : before.weight);
        while (weight > most) {
            weight -= Objects.requireNonNull(entries.pollFirstEntry()).getValue().weight;
        }
    }

    /** About how many bytes the values take, those included that have gone with the heap. */
    public synchronized long weight() {
        return weight;
    }
}
