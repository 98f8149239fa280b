package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.plans.lookup.PlanLookup;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.plans.prefetch.WholePlans;
import io.faasimage.node.plans.rootfs.PlanMounts;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.Pulls;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The retention of plans and their objects: those that containers need, those that may be dropped, and the objects that
 * containers lack after their gate died. Thread-safe.
 */
public final class PlanRetention {
    private final PlanStore plans;
    private final Pulls pulls;
    private final PlanLookup lookup;
    private final WholePlans wholePlans;
    private final PlanMounts mounts;

    PlanRetention(PlanStore plans, Pulls pulls, PlanLookup lookup, WholePlans wholePlans, PlanMounts mounts) {
        this.plans = plans;
        this.pulls = pulls;
        this.lookup = lookup;
        this.wholePlans = wholePlans;
        this.mounts = mounts;
    }

    /**
     * Another gate serves: new mounts use it. Returns at once.
     *
     * @param died whether containers on the old one can fetch nothing any more; then everything that they may read is
     *     pulled in the background, one plan after the other, until nothing is missing
     */
    public void gateReplaced(boolean died) {
        mounts.gateReplaced();
        if (died) {
            wholePlans.pull(used(plans.all()), this::isUsed);
        }
    }

    /** Continues the pulls that {@link #gateReplaced} began before the agent ended. Returns at once. */
    public void resumeWhole() {
        List<StoredPlan> begun = plans.all().stream()
                .filter(plan -> plans.states().isWhole(plan.digest()))
                .toList();
        wholePlans.pull(used(begun), this::isUsed);
    }

    /** Objects that containers may read, cannot fetch, and that are still being brought; empty when there are none. */
    public OptionalLong missing(Digest plan) {
        return wholePlans.missing(plan);
    }

    private boolean isUsed(StoredPlan plan) {
        return !used(List.of(plan)).isEmpty();
    }

    private List<StoredPlan> used(List<StoredPlan> among) {
        Set<PlanLayer> used = among.isEmpty()
                ? Set.of()
                : mounts.used(
                        among.stream().flatMap(plan -> plan.layers().stream()).toList());
        return among.stream()
                .filter(plan ->
                        plan.layers().stream().anyMatch(layer -> used.contains(layer) && isFor(plan, layer.chainId())))
                .toList();
    }

    /** Those whose root file systems are mounted for containers now. */
    public Set<Digest> inUse() {
        List<StoredPlan> all = plans.all();
        Set<PlanLayer> used = mounts.inUse(
                all.stream().flatMap(plan -> plan.layers().stream()).toList());
        return all.stream()
                .filter(plan -> plan.layers().stream().anyMatch(used::contains))
                .map(StoredPlan::digest)
                .collect(Collectors.toSet());
    }

    /** Whether the service gives the objects of this plan now. */
    public boolean canFetch(Digest plan) {
        return lookup.canFetch(plan);
    }

    /**
     * Those whose objects must not be dropped now: some are being pulled, or their containers could not fetch them
     * again.
     */
    public Set<Digest> needed() {
        Set<Digest> needed = pulls.running().stream().map(Pull::plan).collect(Collectors.toSet());
        List<Digest> whole = plans.all().stream()
                .map(StoredPlan::digest)
                .filter(plans.states()::isWhole)
                .toList();
        if (!whole.isEmpty()) {
            Set<Digest> used = inUse();
            whole.stream().filter(used::contains).forEach(needed::add);
        }
        return needed;
    }

    private boolean isFor(StoredPlan plan, ChainId chain) {
        return plans.find(chain).filter(plan::equals).isPresent();
    }
}
