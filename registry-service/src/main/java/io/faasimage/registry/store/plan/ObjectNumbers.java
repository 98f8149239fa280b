package io.faasimage.registry.store.plan;

import io.faasimage.format.id.Digest;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Small numbers for objects, so that sets of them are bitmaps. Numbers of two instances have nothing in common.
 * Thread-safe.
 */
public final class ObjectNumbers {
    private final ConcurrentHashMap<Digest, Integer> numbers = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();

    /** The number of an object, the same for as long as this instance lives. */
    public int of(Digest object) {
        Integer known = numbers.get(object);
        return known != null ? known : numbers.computeIfAbsent(object, _ -> next.getAndIncrement());
    }

    /** The number of objects that have a number. */
    int size() {
        return numbers.size();
    }
}
