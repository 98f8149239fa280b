package io.faasimage.node.metrics;

import io.faasimage.node.event.Events;
import io.faasimage.node.storage.StorageKeeper;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import io.faasimage.store.Usage;
import java.io.IOException;

/** The metrics of the object store and its keeper. */
public final class StoreMetrics implements Measured {
    private final Meters meters = new Meters();
    private final ObjectStore store;
    private final StorageKeeper storage;
    private final Events events;

    /** Measures {@code store} and the moves of {@code storage} in it; {@code events} receives failures. */
    public StoreMetrics(ObjectStore store, StorageKeeper storage, Events events) {
        this.store = store;
        this.storage = storage;
        this.events = events;
        meters.gauges("store_objects", "objects held, by tier", sink -> usage(sink, Usage::objects), "tier");
        meters.gauges("store_bytes", "bytes of objects held, by tier", sink -> usage(sink, Usage::bytes), "tier");
        meters.gauges("store_budget_bytes", "most bytes, of tiers that have a limit", this::budgets, "tier");
        meters.count(
                "evicted_objects",
                "objects that left the node for want of room",
                () -> storage.counts().evictedObjects());
        meters.count(
                "evicted_bytes",
                "bytes that left the node for want of room",
                () -> storage.counts().evictedBytes());
        meters.counts(
                "moved_objects",
                "objects that changed their tier, by the tier they came to",
                sink -> {
                    sink.take(storage.counts().promoted(), "fast");
                    sink.take(storage.counts().demoted(), "capacity");
                },
                "tier");
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
            sink.take(amount.of(store.usage(Tier.CAPACITY)), "capacity");
            if (store.fastDirectory().isPresent()) {
                sink.take(amount.of(store.usage(Tier.FAST)), "fast");
            }
        } catch (IOException e) {
            events.error("storage", "the object store cannot be measured: " + Events.reason(e));
        }
    }

    private void budgets(Meters.Sink sink) {
        try {
            if (storage.capacityBudget() > 0) {
                sink.take(storage.capacityBudget(), "capacity");
            }
            if (store.fastDirectory().isPresent()) {
                sink.take(store.fastLimit(), "fast");
            }
        } catch (IOException e) {
            events.error("storage", "the object store cannot be measured: " + Events.reason(e));
        }
    }
}
