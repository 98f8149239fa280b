package io.faasimage.node.plans.storage;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.plan.MetadataImages;
import io.faasimage.node.plans.plan.PlanStates;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The plans that are not used any more. Plans that containers run on are in use; an hour that the agent runs makes the
 * others older. Used by one thread at a time.
 */
public final class UnusedPlans {
    private static final String TOPIC = "storage";
    private static final long TOUCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int DAY = 24;

    private final PlanStore plans;
    private final PlannedImages node;
    private final Supplier<Optional<Set<ChainId>>> claimed;
    private final Budgets budgets;
    private final Events events;
    private long lastTouch = System.nanoTime();
    private long lastHour = lastTouch;

    /** {@code claimed} gives the chains that containerd has snapshots of; empty while that is not known. */
    public UnusedPlans(
            PlanStore plans,
            PlannedImages node,
            Supplier<Optional<Set<ChainId>>> claimed,
            Budgets budgets,
            Events events) {
        this.plans = plans;
        this.node = node;
        this.claimed = claimed;
        this.budgets = budgets;
        this.events = events;
    }

    /** A plan that containers run on, and fetch objects of, is in use until their end. */
    void countUse() throws IOException {
        long now = System.nanoTime();
        if (now - lastTouch >= TOUCH_NANOS) {
            lastTouch = now;
            touchUsed();
        }
        if (now - lastHour >= HOUR_NANOS) {
            lastHour = now;
            plans.uses().hourPassed();
            forgetUnused();
        }
    }

    /** Writes the noted uses to the disk. */
    void flush() {
        plans.uses().flush();
    }

    /** Notes the use of the plans that containers run on; the plans keep their order. */
    void touchUsed() {
        plans.uses().leastUsedFirst(node.retention().inUse()).forEach(plans.uses()::touched);
    }

    /**
     * Removes the plans that were unused for long and whose images containerd does not have, with their metadata
     * images.
     */
    void forgetUnused() throws IOException {
        Optional<Set<ChainId>> had = claimed.get();
        List<StoredPlan> old = plans.all().stream()
                .filter(plan -> plans.uses().unusedHours(plan.digest()) >= budgets.unusedHours())
                .toList();
        if (had.isEmpty() || old.isEmpty()) {
            return;
        }
        Set<Digest> keep = node.retention().inUse();
        keep.addAll(node.retention().needed());
        List<StoredPlan> unused = old.stream()
                .filter(plan -> !keep.contains(plan.digest())
                        && plan.layers().stream().noneMatch(layer -> had.get().contains(layer.chainId())))
                .toList();
        if (unused.isEmpty()) {
            return;
        }
        MetadataImages.Pruned images;
        try (PlanStates.Loss _ =
                plans.states().losing(unused.stream().map(StoredPlan::digest).toList())) {
            node.remove(unused);
            images = plans.pruneImages();
        }
        events.info(
                TOPIC,
                "forgot " + unused.size() + " plans that were not used for "
                        + budgets.unusedHours() / DAY + " days, and " + images.count() + " metadata images ("
                        + images.bytes() + " bytes)");
    }
}
