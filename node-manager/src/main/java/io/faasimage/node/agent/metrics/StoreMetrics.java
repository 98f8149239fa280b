package io.faasimage.node.agent.metrics;

import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.storage.StorageKeeper;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.Usage;
import io.faasimage.store.pack.Packs;
import java.io.IOException;

/** The metrics of the object store and its keeper. */
public final class StoreMetrics extends Meters {
    private final ObjectStore store;
    private final StorageKeeper storage;
    private final Events events;

    /** Measures {@code store} and the evictions of {@code storage}; {@code events} receives failures. */
    public StoreMetrics(ObjectStore store, StorageKeeper storage, Events events) {
        this.store = store;
        this.storage = storage;
        this.events = events;
        gauges("store_objects", "objects present", sink -> usage(sink, Usage::objects));
        gauges("store_bytes", "bytes of objects present", sink -> usage(sink, Usage::bytes));
        gauges("store_budget_bytes", "most bytes of objects, where there is a limit", this::budget);
        gauge(
                "packs",
                "packs of prefetch lists",
                () -> store.packs().map(packs -> packs.all().size()).orElse(0));
        count(
                "pack_waits",
                "reads of packs that waited for frames on their way",
                () -> store.packs().map(Packs::waited).orElse(0L));
        count("evicted_objects", "objects that left the node for want of room", storage::evictedObjects);
        count("evicted_bytes", "bytes that left the node for want of room", storage::evictedBytes);
    }

    private interface Amount {
        long of(Usage usage);
    }

    private void usage(Sink sink, Amount amount) {
        try {
            sink.take(amount.of(store.usage()));
        } catch (IOException e) {
            events.error("storage", "the object store cannot be measured: " + Events.reason(e));
        }
    }

    private void budget(Sink sink) {
        if (storage.budget() > 0) {
            sink.take(storage.budget());
        }
    }
}
