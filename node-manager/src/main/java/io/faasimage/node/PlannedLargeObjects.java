package io.faasimage.node;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.starts.trace.LargeObjects;
import io.faasimage.store.pack.Pack;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The packs with large objects of prefetch lists. Thread-safe. */
final class PlannedLargeObjects implements LargeObjects {
    /** Smaller ones are read as a whole more often, and there are many of them. */
    private static final long LEAST_BYTES = 1 << 20;

    private final PlanStore plans;
    private final Optional<Packs> packs;

    PlannedLargeObjects(PlanStore plans, Optional<Packs> packs) {
        this.plans = plans;
        this.packs = packs;
    }

    @Override
    public Set<Pack> of(ChainId chain) throws IOException {
        Optional<Digest> plan = plans.find(chain)
                .filter(found -> found.top().chainId().equals(chain))
                .map(StoredPlan::digest);
        Optional<Plan> loaded = packs.isPresent() && plan.isPresent() ? plans.loadIfHere(plan.get()) : Optional.empty();
        return loaded.stream()
                .flatMap(found -> found.startup().stream())
                .filter(object -> object.size() >= LEAST_BYTES)
                .map(PlanObject::digest)
                .flatMap(object -> packs.get().find(object).stream())
                .map(Packs.Place::pack)
                .collect(Collectors.toSet());
    }

    @Override
    public void mount(Pack pack, Path point) throws IOException {
        packs.orElseThrow().mountAgain(pack, point);
    }
}
