package io.faasimage.node.metrics;

import io.faasimage.node.event.Events;
import io.faasimage.node.storage.StorageKeeper;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Usage;
import java.io.IOException;

/** The metrics of the object store and its keeper. */
public final class StoreMetrics implements Measured {
    private final Meters meters = new Meters();
    private final ObjectStore store;
    private final StorageKeeper storage;
    private final Events events;

    /** Measures {@code store} and the evictions of {@code storage}; {@code events} receives failures. */
    public StoreMetrics(ObjectStore store, StorageKeeper storage, Events events) {
        this.store = store;
        this.storage = storage;
        this.events = events;
        meters.gauges("store_objects", "objects present", sink -> usage(sink, Usage::objects));
        meters.gauges("store_bytes", "bytes of objects present", sink -> usage(sink, Usage::bytes));
        meters.gauges("store_budget_bytes", "most bytes of objects, where there is a limit", this::budget);
        meters.count(
                "evicted_objects",
                "objects that left the node for want of room",
                () -> storage.counts().evictedObjects());
        meters.count(
                "evicted_bytes",
                "bytes that left the node for want of room",
                () -> storage.counts().evictedBytes());
    }

    @Override
    public Meters meters() {
        return meters;
    }

    private interface Amount {
        long of(Usage usage);
    }

    private void usage(Meters.Sink sink, Amount amount) {
        try {
            sink.take(amount.of(store.usage()));
        } catch (IOException e) {
            events.error("storage", "the object store cannot be measured: " + Events.reason(e));
        }
    }

    private void budget(Meters.Sink sink) {
        if (storage.budget() > 0) {
            sink.take(storage.budget());
        }
    }
}
