package io.faasimage.refactor.held;

import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;

/**
 * A bounded cache of values that one image is likely to have in common with the next. Least recently used first out.
 * Values are dropped when the heap runs low. Thread-safe.
 *
 * @param <K> key
 * @param <V> value, which must not be changed
 */
public final class SoftCache<K, V> {
    /** Approximate overhead of an entry, bytes. */
    static final long ENTRY_BYTES = 256;

    private final long most;
    private final Function<V, SoftReference<V>> reference;
    /** The one that was used last comes last. */
    private final SequencedMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long weight;

    private record Entry<V>(SoftReference<V> value, long weight) {}

    /** An empty cache of at most so many bytes; of 0 bytes, one that stays empty. */
    public SoftCache(long most) {
        this(most, SoftReference::new);
    }

    /** The same with references that a test clears as a full heap does. */
    SoftCache(long most, Function<V, SoftReference<V>> reference) {
        this.most = most;
        this.reference = reference;
    }

    /** The value, if it is cached. */
    public synchronized Optional<V> find(K key) {
        Entry<V> entry = entries.get(key);
        Optional<V> value = Optional.ofNullable(entry).map(found -> found.value.get());
        if (entry != null && value.isEmpty()) {
            entries.remove(key);
            weight -= entry.weight;
        }
        return value;
    }

    /** Whether a value of about so many bytes may be cached at all. */
    public boolean fits(long bytes) {
        return bytes + ENTRY_BYTES <= most;
    }

    /** Caches a value, which takes about so many bytes; one that takes more than all is left out. */
    public synchronized void add(K key, V value, long bytes) {
        if (!fits(bytes)) {
            return;
        }
        long added = bytes + ENTRY_BYTES;
        Entry<V> before = entries.put(key, new Entry<>(reference.apply(value), added));
        weight += added - (before == null ? 0 : before.weight);
        while (weight > most) {
            weight -= Objects.requireNonNull(entries.pollFirstEntry()).getValue().weight;
        }
    }

    /** About the bytes of the entries, including those whose value was dropped without being looked up since. */
    public synchronized long weight() {
        return weight;
    }
}
