package io.faasimage.api.concurrent;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map of at most a fixed number of entries; one more drops the eldest, which is the first put or the least recently
 * used. Not thread-safe.
 *
 * @param <K> keys
 * @param <V> values
 */
@SuppressWarnings("serial") // Never serialized.
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private final int most;

    private BoundedMap(int most, boolean byUse) {
        super(16, 0.75f, byUse);
        this.most = most;
    }

    /** A map that keeps the {@code most} entries that were put last. */
    public static <K, V> BoundedMap<K, V> lastPut(int most) {
        return new BoundedMap<>(most, false);
    }

    /** A map that keeps the {@code most} entries that were read or put last. */
    public static <K, V> BoundedMap<K, V> lastUsed(int most) {
        return new BoundedMap<>(most, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
