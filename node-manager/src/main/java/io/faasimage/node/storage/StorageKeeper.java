package io.faasimage.node.storage;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.lazy.PlannedImages;
import io.faasimage.node.plan.MetadataImages;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.prefetch.Loss;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.storage.Ranking.Choice;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Keeps the object store within its budgets: the least recently used objects leave the fast tier, and at last the node;
 * start-up sets that are used again and again come to the fast tier. One thread, low in use: it looks every few
 * seconds, and moves something only when there is something to move. Thread-safe; its lock is held during a pass.
 */
public final class StorageKeeper implements AutoCloseable {
    private static final String TOPIC = "storage";
    /** Parts of the fast tier, in percent: when objects leave it, down to where, and up to where others come to it. */
    private static final int FULL = 90;

    private static final int EMPTIED = 75;
    private static final int PROMOTED = 85;
    private static final int PERCENT = 100;
    private static final long TOUCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Parts parts;
    private final Budgets budgets;
    private final InstantSource clock;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("storage").daemon().factory());
    private final LongAdder demoted = new LongAdder();
    private final LongAdder promoted = new LongAdder();
    private final Eviction eviction;
    private boolean fastLost;
    private long lastTouch;
    private long lastHour;

    /**
     * What this works with.
     *
     * @param store of objects
     * @param plans on the local disk
     * @param node what runs on them
     * @param pulls under way
     * @param disk of the capacity tier
     * @param claimed chains that containerd has snapshots of; empty while that is not known
     * @param events takes what was done
     */
    public record Parts(
            ObjectStore store,
            PlanStore plans,
            PlannedImages node,
            Pulls pulls,
            Disk disk,
            Supplier<Optional<Set<ChainId>>> claimed,
            Events events) {}

    /** Does nothing before {@link #start}. */
    public StorageKeeper(Parts parts, Budgets budgets, InstantSource clock) {
        this.parts = parts;
        this.budgets = budgets;
        this.clock = clock;
        this.eviction = new Eviction(parts, budgets, System::nanoTime);
        this.lastTouch = System.nanoTime();
        this.lastHour = lastTouch;
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
        } catch (IOException | RuntimeException | Error e) {
            // A task that throws is not run again.
            parts.events().error(TOPIC, "could not maintain the object store: " + Events.reason(e));
        }
    }

    /** One look at everything. */
    synchronized void pass() throws IOException {
        countUse();
        parts.plans().uses().flush();
        noticeLoss();
        if (parts.store().isFastThere()) {
            demote();
        }
        eviction.run();
        if (parts.store().isFastThere() && parts.pulls().running().isEmpty()) {
            promote();
        }
    }

    /** A plan that containers run on, and fetch objects of, is in use until their end. */
    private void countUse() throws IOException {
        long now = System.nanoTime();
        if (now - lastTouch >= TOUCH_NANOS) {
            lastTouch = now;
            touchUsed();
        }
        if (now - lastHour >= HOUR_NANOS) {
            lastHour = now;
            parts.plans().uses().hourPassed();
            forgetUnused();
        }
    }

    /** Notes the use of what containers run on; the plans keep their order. */
    void touchUsed() {
        leastUsedFirst(parts.node().retention().inUse()).forEach(parts.plans().uses()::touched);
    }

    /**
     * Takes away the plans that nobody used for long and whose images containerd does not have, with their metadata
     * images.
     */
    synchronized void forgetUnused() throws IOException {
        Optional<Set<ChainId>> claimed = parts.claimed().get();
        List<StoredPlan> old = parts.plans().all().stream()
                .filter(plan -> parts.plans().uses().unusedHours(plan.digest()) >= budgets.unusedHours())
                .toList();
        if (claimed.isEmpty() || old.isEmpty()) {
            return;
        }
        Set<Digest> keep = parts.node().retention().inUse();
        keep.addAll(parts.node().retention().needed());
        List<StoredPlan> unused = old.stream()
                .filter(plan -> !keep.contains(plan.digest())
                        && plan.layers().stream()
                                .noneMatch(layer -> claimed.get().contains(layer.chainId())))
                .toList();
        if (unused.isEmpty()) {
            return;
        }
        MetadataImages.Pruned images;
        try (Loss _ = parts.node()
                .retention()
                .losing(unused.stream().map(StoredPlan::digest).toList())) {
            parts.node().remove(unused);
            images = parts.plans().pruneImages();
        }
        parts.events()
                .info(
                        TOPIC,
                        "forgot " + unused.size() + " plans that were not used for "
                                + budgets.unusedHours() / 24 + " days, and " + images.count() + " metadata images ("
                                + images.bytes() + " bytes)");
    }

    private List<Digest> leastUsedFirst(Collection<Digest> digests) {
        return digests.stream()
                .sorted(Comparator.<Digest>comparingLong(parts.plans().uses()::last)
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
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
        parts.node().retention().losing(digests()).close();
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
        // What has two names still would not become free.
        parts.store().checkpoint();
        List<Digest> order = leastUsedFirst(digests());
        Ranking ranking = new Ranking(
                parts.store(),
                Tier.FAST,
                parts.plans(),
                order,
                parts.plans().marks().unplannedPlace(order));
        Choice choice = ranking.choose(used - part(limit, EMPTIED));
        long[] moved = {0};
        ranking.forEach(choice, object -> moved[0] += parts.store().move(object.digest(), Tier.CAPACITY) ? 1 : 0);
        demoted.add(moved[0]);
        parts.events().info(TOPIC, moved[0] + " objects (" + choice.bytes() + " bytes) left the fast tier");
    }

    private void promote() throws IOException {
        Instant since = clock.instant().minus(budgets.often());
        List<StoredPlan> often = parts.plans().all().stream()
                .filter(plan -> parts.plans().uses().starts(plan.digest(), since) >= budgets.oftenStarts())
                .sorted(Comparator.comparingLong(
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

    /**
     * Moves what of a start-up set is in the capacity tier, in the order of the reads; answers the room that is left.
     */
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
        Set<Digest> keep = parts.node().retention().inUse();
        keep.addAll(parts.node().retention().needed());
        List<StoredPlan> unused = parts.plans().all().stream()
                .filter(plan -> all && !keep.contains(plan.digest()))
                .toList();
        int kept = parts.plans().all().size() - unused.size();
        long[] dropped = {0, 0};
        MetadataImages.Pruned images;
        try (Loss _ = parts.node()
                .retention()
                .losing(unused.stream().map(StoredPlan::digest).toList())) {
            parts.plans().marks().unmarkWarmed();
            parts.node().remove(unused);
            images = parts.plans().pruneImages();
            for (Tier tier : List.of(Tier.FAST, Tier.CAPACITY)) {
                new Ranking(parts.store(), tier, parts.plans(), List.of(), 0).forEachUnplanned(object -> {
                    dropped[0]++;
                    dropped[1] += parts.store().drop(object.digest());
                });
            }
        }
        Pruned pruned = new Pruned(dropped[0], dropped[1], unused.size(), images.count(), images.bytes(), kept);
        parts.events()
                .info(
                        TOPIC,
                        "pruned " + pruned.objects() + " objects (" + pruned.bytes() + " bytes), " + pruned.plans()
                                + " plans and " + pruned.images() + " metadata images");
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
        return new Counts(eviction.evictedObjects(), eviction.evictedBytes(), demoted.sum(), promoted.sum());
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
