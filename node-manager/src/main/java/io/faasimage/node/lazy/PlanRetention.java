package io.faasimage.node.lazy;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.prefetch.Loss;
import io.faasimage.node.prefetch.StartupPulls;
import io.faasimage.node.pull.Pull;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The retention of plans and their objects: which of them containers need, what may go, and what a gate that died left
 * its containers without. Thread-safe.
 */
public final class PlanRetention {
    private final PlannedImages.Parts parts;
    private final StartupPulls startups;

    PlanRetention(PlannedImages.Parts parts, StartupPulls startups) {
        this.parts = parts;
        this.startups = startups;
    }

    /**
     * Another gate serves: what is mounted from now on uses it. Returns at once.
     *
     * @param died whether containers on the old one can fetch nothing any more; then everything that they may read is
     *     pulled in the background, one plan after the other, until nothing is missing
     */
    public void gateReplaced(boolean died) {
        parts.mounts().gateReplaced();
        if (died) {
            startups.whole(used(parts.plans().all()), this::isUsed);
        }
    }

    /** Goes on with what {@link #gateReplaced} began before the agent ended. Returns at once. */
    public void resumeWhole() {
        List<StoredPlan> begun = parts.plans().all().stream()
                .filter(plan -> parts.plans().marks().isWhole(plan.digest()))
                .toList();
        startups.whole(used(begun), this::isUsed);
    }

    /** Objects that containers may read, cannot fetch, and that are still being brought; empty when there are none. */
    public OptionalLong missing(Digest plan) {
        return startups.missing(plan);
    }

    private boolean isUsed(StoredPlan plan) {
        return !used(List.of(plan)).isEmpty();
    }

    private List<StoredPlan> used(List<StoredPlan> plans) {
        Set<PlanLayer> used = plans.isEmpty()
                ? Set.of()
                : parts.mounts()
                        .used(plans.stream()
                                .flatMap(plan -> plan.layers().stream())
                                .toList());
        return plans.stream()
                .filter(plan ->
                        plan.layers().stream().anyMatch(layer -> used.contains(layer) && isFor(plan, layer.chainId())))
                .toList();
    }

    /**
     * Objects of these plans are about to be dropped, until the close: they do not count as complete any more.
     *
     * @throws IOException when that cannot be noted; nothing may be dropped then
     */
    public Loss losing(Collection<Digest> plans) throws IOException {
        return startups.losing(plans);
    }

    /** Those whose root file systems are mounted for containers now. */
    public Set<Digest> inUse() {
        List<StoredPlan> all = parts.plans().all();
        Set<PlanLayer> used = parts.mounts()
                .inUse(all.stream().flatMap(plan -> plan.layers().stream()).toList());
        return all.stream()
                .filter(plan -> plan.layers().stream().anyMatch(used::contains))
                .map(StoredPlan::digest)
                .collect(Collectors.toSet());
    }

    /** Whether something is being pulled now. */
    public boolean isPulling() {
        return !parts.pulls().running().isEmpty();
    }

    /** Whether the service gives the objects of this plan now. */
    public boolean canFetch(Digest plan) {
        BundleRequest nothing = new BundleRequest(
                null, null, plan.toString(), List.of(), false, false, null, List.of(), 0L, null, null, 0);
        try (BundleStream answer = parts.link().bundle(nothing).orElse(null)) {
            return answer != null;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Those whose objects must not be dropped now: some are being pulled, or their containers could not fetch them
     * again.
     */
    public Set<Digest> needed() {
        Set<Digest> needed = parts.pulls().running().stream().map(Pull::plan).collect(Collectors.toSet());
        List<Digest> whole = parts.plans().all().stream()
                .map(StoredPlan::digest)
                .filter(parts.plans().marks()::isWhole)
                .toList();
        if (!whole.isEmpty()) {
            Set<Digest> used = inUse();
            whole.stream().filter(used::contains).forEach(needed::add);
        }
        return needed;
    }

    private boolean isFor(StoredPlan plan, ChainId chain) {
        return parts.plans().find(chain).filter(plan::equals).isPresent();
    }
}
