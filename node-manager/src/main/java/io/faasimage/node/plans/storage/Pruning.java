package io.faasimage.node.plans.storage;

import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.plan.MetadataImages;
import io.faasimage.node.plans.plan.PlanStates;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** The removal of objects that no plan needs, at an operator's request. Used by one thread at a time. */
public final class Pruning {
    private static final String TOPIC = "storage";

    private final ObjectStore store;
    private final PlanStore plans;
    private final PlannedImages node;
    private final Events events;

    /** {@code events} receives the outcome. */
    public Pruning(ObjectStore store, PlanStore plans, PlannedImages node, Events events) {
        this.store = store;
        this.plans = plans;
        this.node = node;
        this.events = events;
    }

    /**
     * Drops the objects that no plan here needs; with {@code all} every plan, too, that no container runs on and no
     * pull is for.
     *
     * @throws IOException when something could not be dropped; the rest was dropped
     */
    PruneOutcome prune(boolean all) throws IOException {
        Set<Digest> keep = node.retention().inUse();
        keep.addAll(node.retention().needed());
        List<StoredPlan> unused = plans.all().stream()
                .filter(plan -> all && !keep.contains(plan.digest()))
                .toList();
        int kept = plans.all().size() - unused.size();
        long[] dropped = {0, 0};
        MetadataImages.Pruned images;
        try (PlanStates.Loss _ =
                plans.states().losing(unused.stream().map(StoredPlan::digest).toList())) {
            plans.states().unmarkWarmed();
            node.remove(unused);
            images = plans.pruneImages();
            new Ranking(store, plans, List.of(), 0).forEachUnplanned(object -> {
                dropped[0]++;
                dropped[1] += store.drop(object.digest());
            });
            store.freeDropped();
        }
        PruneOutcome pruned =
                new PruneOutcome(dropped[0], dropped[1], unused.size(), images.count(), images.bytes(), kept);
        events.info(
                TOPIC,
                "pruned " + pruned.objects() + " objects (" + pruned.bytes() + " bytes), " + pruned.plans()
                        + " plans and " + pruned.images() + " metadata images");
        return pruned;
    }
}
