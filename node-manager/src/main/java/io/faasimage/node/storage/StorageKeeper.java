package io.faasimage.node.storage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.linux.FileSystems;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.NodePlans;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.storage.Ranking.Choice;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps the object store within its budgets: the least recently used objects leave the fast tier, and at last the node;
 * start-up sets that are used again and again come to the fast tier. One thread, low in use: it looks every few seconds, and
 * moves something only when there is something to move. Thread-safe; its lock is held during a pass.
 */
public final class StorageKeeper implements AutoCloseable {
    private static final String TOPIC = "storage";
    /** Parts of the fast tier, in percent: when objects leave it, down to where, and up to where others come to it. */
    private static final int FULL = 90;

    private static final int EMPTIED = 75;
    private static final int PROMOTED = 85;
    /** Part of a budget that is left after an eviction, in percent. */
    private static final int EVICTED = 90;

    private static final int PERCENT = 100;

    private final Parts parts;
    private final Budgets budgets;
    private final InstantSource clock;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("storage").daemon().factory());
    private final LongAdder evictedObjects = new LongAdder();
    private final LongAdder evictedBytes = new LongAdder();
    private final LongAdder demoted = new LongAdder();
    private final LongAdder promoted = new LongAdder();
    private boolean fastLost;
    private boolean overBudget;

    /**
     * What this works with.
     *
     * @param store of objects
     * @param plans on the local disk
     * @param node what runs on them
     * @param pulls under way
     * @param events takes what was done
     */
    public record Parts(ObjectStore store, PlanStore plans, NodePlans node, Pulls pulls, Events events) {}

    /** Does nothing before {@link #start}. */
    public StorageKeeper(Parts parts, Budgets budgets, InstantSource clock) {
        this.parts = parts;
        this.budgets = budgets;
        this.clock = clock;
    }

    /** Begins to look; the first pass also finishes moves that were cut short. */
    public void start() {
        timer.execute(() -> guarded(() -> parts.store().dropDoubles()));
        var _ = timer.scheduleWithFixedDelay(
                () -> guarded(this::pass), 0, budgets.pass().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A step that may fail. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private void guarded(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            parts.events().error(TOPIC, "could not look after the object store: " + Events.reason(e));
        }
    }

    /** One look at everything. */
    synchronized void pass() throws IOException {
        parts.plans().uses().flush();
        noticeLoss();
        if (parts.store().isFastThere()) {
            demote();
        }
        evict();
        if (parts.store().isFastThere() && parts.pulls().running().isEmpty()) {
            promote();
        }
    }

    /** The fast tier's file system is gone: what was in it is missing. */
    private void noticeLoss() throws IOException {
        if (fastLost || parts.store().fastDirectory().isEmpty() || parts.store().isFastThere()) {
            return;
        }
        fastLost = true;
        parts.events()
                .fallback(
                        TOPIC,
                        "the fast tier at " + parts.store().fastDirectory().get()
                                + " is not mounted any more: everything goes to the capacity tier; mount it and restart"
                                + " the agent");
        parts.node().losing(digests()).close();
    }

    private List<Digest> digests() {
        return parts.plans().all().stream().map(StoredPlan::digest).toList();
    }

    private void demote() throws IOException {
        long limit = parts.store().fastLimit();
        long used = parts.store().usage(Tier.FAST).bytes();
        if (used <= part(limit, FULL)) {
            return;
        }
        Choice choice = new Ranking(parts.store(), Tier.FAST)
                .with(parts.plans(), Set.of())
                .choose(used - part(limit, EMPTIED));
        int moved = 0;
        for (Digest digest : choice.digests()) {
            moved += parts.store().move(digest, Tier.CAPACITY) ? 1 : 0;
        }
        demoted.add(moved);
        parts.events().info(TOPIC, moved + " objects (" + choice.bytes() + " bytes) left the fast tier");
    }

    private void evict() throws IOException {
        long excess = excess();
        if (excess <= 0) {
            overBudget = false;
            return;
        }
        Choice choice = new Ranking(parts.store(), Tier.CAPACITY)
                .with(parts.plans(), parts.node().needed())
                .choose(excess);
        if (choice.digests().isEmpty()) {
            if (!overBudget) {
                parts.events()
                        .fallback(
                                TOPIC,
                                "the object store is " + excess
                                        + " bytes too large, but all of it is needed now; free space"
                                        + " or raise --store-budget");
            }
            overBudget = true;
            return;
        }
        long bytes = drop(choice.digests(), Ranking.losers(choice.digests(), parts.plans()));
        evictedObjects.add(choice.digests().size());
        evictedBytes.add(bytes);
        parts.events()
                .info(
                        TOPIC,
                        "evicted " + choice.digests().size() + " objects (" + bytes + " bytes) that were used least");
    }

    /** Drops objects after the plans have lost their marks; answers the bytes. */
    private long drop(Iterable<Digest> objects, Set<Digest> losers) throws IOException {
        long bytes = 0;
        try (NodePlans.Loss _ = parts.node().losing(losers)) {
            for (Digest digest : objects) {
                bytes += parts.store().drop(digest);
            }
        }
        return bytes;
    }

    /** Bytes that have to go from the capacity tier. */
    private long excess() throws IOException {
        long used = parts.store().usage(Tier.CAPACITY).bytes();
        long overBudgetBytes = budgets.capacityBytes() == 0 || used <= budgets.capacityBytes()
                ? 0
                : used - part(budgets.capacityBytes(), EVICTED);
        long free = FileSystems.space(parts.store().root()).availableBytes();
        // Not more than that, for other programs may fill the disk again and again.
        long lackingBytes = free >= budgets.reserveBytes() ? 0 : budgets.reserveBytes() - free;
        return Math.max(overBudgetBytes, Math.min(used, lackingBytes));
    }

    private void promote() throws IOException {
        Instant since = clock.instant().minus(budgets.often());
        List<StoredPlan> often = parts.plans().all().stream()
                .filter(plan -> parts.plans().uses().starts(plan.digest(), since) >= budgets.oftenStarts())
                .sorted(Comparator.comparing(
                                (StoredPlan plan) -> parts.plans().uses().last(plan.digest()))
                        .reversed())
                .toList();
        long room = part(parts.store().fastLimit(), PROMOTED)
                - parts.store().usage(Tier.FAST).bytes();
        room = Math.min(room, budgets.promotionBytes());
        for (StoredPlan plan : often) {
            room = promote(plan, room);
            if (room <= 0 || !parts.pulls().running().isEmpty()) {
                return;
            }
        }
    }

    /** Moves what of a start-up set is in the capacity tier, in the order of the reads; answers the room that is left. */
    private long promote(StoredPlan stored, long most) throws IOException {
        long room = most;
        for (PlanObject object : startup(stored)) {
            boolean below = room >= object.size()
                    && parts.store()
                            .tierOf(object.digest())
                            .filter(Tier.CAPACITY::equals)
                            .isPresent();
            if (below && parts.store().move(object.digest(), Tier.FAST)) {
                room -= object.size();
                promoted.increment();
            }
        }
        if (room < most) {
            parts.events()
                    .info(
                            TOPIC,
                            (most - room) + " bytes of plan " + stored.digest()
                                    + " came to the fast tier: it starts often");
        }
        return room;
    }

    private List<PlanObject> startup(StoredPlan stored) throws IOException {
        return parts.plans()
                .loadIfHere(stored.digest())
                .map(plan -> plan.startup())
                .orElse(List.of());
    }

    private static long part(long whole, int percent) {
        return whole / PERCENT * percent;
    }

    /**
     * Drops what no plan here needs; with {@code all} every plan, too, that no container runs on and no pull is for.
     *
     * @throws IOException when something could not be dropped; what was dropped is well
     */
    public synchronized Pruned prune(boolean all) throws IOException {
        // Before the plans: what comes from now on is not looked at, and what is here has its plan here.
        List<Ranking> held = List.of(new Ranking(parts.store(), Tier.FAST), new Ranking(parts.store(), Tier.CAPACITY));
        Set<Digest> keep = parts.node().inUse();
        keep.addAll(parts.node().needed());
        List<StoredPlan> unused = parts.plans().all().stream()
                .filter(plan -> all && !keep.contains(plan.digest()))
                .toList();
        List<StoredPlan> kept = parts.plans().all().stream()
                .filter(plan -> !unused.contains(plan))
                .toList();
        long count = 0;
        long bytes = 0;
        PlanStore.PrunedImages images;
        try (NodePlans.Loss _ =
                parts.node().losing(unused.stream().map(StoredPlan::digest).toList())) {
            parts.plans().unmarkWarmed();
            parts.node().remove(unused);
            images = parts.plans().pruneMetadata();
            for (Ranking tier : held) {
                for (Digest digest : tier.without(kept, parts.plans())) {
                    bytes += parts.store().drop(digest);
                    count++;
                }
            }
        }
        Pruned pruned = new Pruned(count, bytes, unused.size(), images.count(), images.bytes(), kept.size());
        parts.events()
                .info(
                        TOPIC,
                        "pruned " + count + " objects (" + bytes + " bytes), " + pruned.plans() + " plans and "
                                + pruned.images() + " metadata images");
        return pruned;
    }

    /**
     * What was pruned.
     *
     * @param objects dropped
     * @param bytes of these
     * @param plans dropped
     * @param images metadata images dropped
     * @param imageBytes of these
     * @param keptPlans that are still here
     */
    public record Pruned(long objects, long bytes, int plans, int images, long imageBytes, int keptPlans) {}

    /**
     * What this has done since it began.
     *
     * @param evictedObjects that left the node for want of room
     * @param evictedBytes of these
     * @param demoted objects that went from the fast tier to the capacity tier for want of room
     * @param promoted objects that came to the fast tier because they are often read
     */
    public record Counts(long evictedObjects, long evictedBytes, long demoted, long promoted) {}

    /** The counts. */
    public Counts counts() {
        return new Counts(evictedObjects.sum(), evictedBytes.sum(), demoted.sum(), promoted.sum());
    }

    /** Most bytes in the capacity tier; no limit when 0. */
    public long capacityBudget() {
        return budgets.capacityBytes();
    }

    /** Ends the work, after the step that is being done. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(10, TimeUnit.SECONDS)) {
                timer.shutdownNow();
                parts.events().info(TOPIC, "a pass over the object store was cut short: the node shuts down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        parts.plans().uses().flush();
    }
}
