package io.faasimage.node;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.plans.partial.WholeObject;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.starts.trace.LargeObjects;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The large objects of prefetch lists, as far as they are present. Thread-safe. */
final class PlannedLargeObjects implements LargeObjects {
    /** Smaller ones are read as a whole more often, and there are many of them. */
    private static final long LEAST_BYTES = 1 << 20;

    /** Each takes a loop device. */
    private static final int MOST = 64;

    private final PlanStore plans;
    private final ObjectStore store;

    PlannedLargeObjects(PlanStore plans, ObjectStore store) {
        this.plans = plans;
        this.store = store;
    }

    @Override
    public List<WholeObject> of(ChainId chain) throws IOException {
        Optional<Digest> plan = plans.find(chain)
                .filter(found -> found.top().chainId().equals(chain))
                .map(StoredPlan::digest);
        Optional<Plan> loaded = plan.isPresent() ? plans.loadIfHere(plan.get()) : Optional.empty();
        return loaded.stream()
                .flatMap(found -> found.startup().stream())
                .filter(object -> object.size() >= LEAST_BYTES && store.has(object.digest()))
                .limit(MOST)
                .map(this::whole)
                .toList();
    }

    private WholeObject whole(PlanObject object) {
        return new WholeObject(object.digest(), object.size(), store.path(object.digest()));
    }
}
