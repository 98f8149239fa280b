package io.faasimage.node.plans.storage;

import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.PlanRetention;
import io.faasimage.node.plans.plan.PlanStates;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.plans.storage.Ranking.Choice;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The eviction of objects from the node when the store is over its budget, or its disk has too little free:
 * first of plans that nothing runs on, the least recently used first, then of plans that containers run on, as far as
 * the service still has them. For the disk's sake the store shrinks to a bound only, and not while dropping frees
 * nothing. Used by one thread.
 */
public final class Eviction {
    private static final String TOPIC = "storage";
    /** Part of a budget that is left after an eviction, in percent. */
    private static final int LEFT = 90;

    private static final int PERCENT = 100;
    /** Dropping was in vain when less than this part of the dropped bytes became free. */
    private static final int FREED_PART = 4;

    /** A container may be about to be started on a pack that it was given. */
    private static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static final long VAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final ObjectStore store;
    private final PlanStore plans;
    private final PlanRetention retention;
    private final Disk disk;
    private final Budgets budgets;
    private final Events events;
    private final LongAdder evictedObjects = new LongAdder();
    private final LongAdder evictedBytes = new LongAdder();
    /** The last report, unless it was withdrawn. */
    private String lastReport = "";

    private boolean vain;
    private long vainSince;

    /**
     * Keeps within {@code budgets}.
     *
     * @param disk of the store
     * @param events receives evictions and failures
     */
    public Eviction(
            ObjectStore store, PlanStore plans, PlanRetention retention, Disk disk, Budgets budgets, Events events) {
        this.store = store;
        this.plans = plans;
        this.retention = retention;
        this.disk = disk;
        this.budgets = budgets;
        this.events = events;
    }

    /** Most bytes of objects; no limit when 0. */
    long budget() {
        return budgets.storeBytes();
    }

    long evictedObjects() {
        return evictedObjects.sum();
    }

    long evictedBytes() {
        return evictedBytes.sum();
    }

    /** Drops objects until the budgets are kept. */
    void run() throws IOException {
        if (store.packs().isPresent()) {
            store.packs().get().removeEmpty(System.nanoTime() - UNUSED_NANOS);
        }
        long used = store.usage().bytes();
        long over = overBudget(used);
        long lacking = Math.max(0, budgets.reserveBytes() - disk.availableBytes());
        long forDisk = Math.min(lacking, Math.max(0, used - budgets.leastBytes()));
        if (lacking == 0) {
            vain = false;
        } else if (vain && System.nanoTime() - vainSince < VAIN_NANOS) {
            forDisk = 0;
        } else if (forDisk == 0 && over == 0) {
            warn("the disk has " + lacking + " bytes too little free, but the object store has shrunk to " + used
                    + " bytes: free space, or lower --store-least");
        }
        long excess = Math.max(over, forDisk);
        if (excess > 0) {
            evict(excess, over == 0);
        } else if (lacking == 0) {
            lastReport = "";
        }
    }

    private long overBudget(long used) {
        long budget = budgets.storeBytes();
        return budget == 0 || used <= budget ? 0 : used - budget / PERCENT * LEFT;
    }

    private void evict(long excess, boolean forDisk) throws IOException {
        // An object with two names would not become free.
        store.checkpoint();
        Set<Digest> needed = retention.needed();
        Set<Digest> used = retention.inUse();
        List<Digest> order = plans.uses()
                .leastUsedFirst(plans.all().stream()
                        .map(StoredPlan::digest)
                        .filter(plan -> !needed.contains(plan) && !used.contains(plan))
                        .toList());
        Ranking ranking = ranking(order);
        Choice choice = ranking.choose(excess);
        if (choice.bytes() < excess) {
            List<Digest> refetchable = used.stream()
                    .filter(plan -> !needed.contains(plan) && retention.canFetch(plan))
                    .toList();
            if (!refetchable.isEmpty()) {
                List<Digest> all = new ArrayList<>(order);
                all.addAll(plans.uses().leastUsedFirst(refetchable));
                ranking = ranking(all);
                choice = ranking.choose(excess);
            }
        }
        if (choice.bytes() == 0) {
            warn("the object store is " + excess + " bytes too large, but all of it is needed now; free space"
                    + " or raise --store-budget");
            return;
        }
        drop(ranking, choice, forDisk);
    }

    private void drop(Ranking ranking, Choice choice, boolean forDisk) throws IOException {
        long before = disk.availableBytes();
        long[] dropped = {0, 0};
        try (PlanStates.Loss _ = plans.states().losing(ranking.losers(choice))) {
            ranking.forEach(choice, object -> {
                dropped[0]++;
                dropped[1] += store.drop(object.digest());
            });
            store.freeDropped();
        }
        evictedObjects.add(dropped[0]);
        evictedBytes.add(dropped[1]);
        events.info(
                TOPIC, "evicted " + dropped[0] + " objects (" + dropped[1] + " bytes) that were least recently used");
        long freed = disk.availableBytes() - before;
        if (forDisk && freed < dropped[1] / FREED_PART) {
            vain = true;
            vainSince = System.nanoTime();
            warn("dropping " + dropped[1] + " bytes of objects freed " + Math.max(0, freed)
                    + ": running containers have them open, or others fill the disk; eviction for free space pauses"
                    + " for 10 minutes");
        }
    }

    private Ranking ranking(List<Digest> order) {
        return new Ranking(store, plans, order, plans.states().unplannedPlace(order));
    }

    private void warn(String text) {
        // Numbers change from one pass to the next.
        String kind = text.replaceAll("[0-9]+", "");
        if (!kind.equals(lastReport)) {
            lastReport = kind;
            events.fallback(TOPIC, text);
        }
    }
}
