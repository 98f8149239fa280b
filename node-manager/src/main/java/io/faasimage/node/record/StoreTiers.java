package io.faasimage.node.record;

import io.faasimage.api.node.NodeReport.NodeTier;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import io.faasimage.store.Usage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The tiers of the object store as the node reports them. */
public final class StoreTiers {
    private final ObjectStore store;
    private final long budget;

    /** {@code budget} is the most bytes of objects in the capacity tier; 0 for no limit. */
    public StoreTiers(ObjectStore store, long budget) {
        this.store = store;
        this.budget = budget;
    }

    /** Their present content. */
    List<NodeTier> now() throws IOException {
        List<NodeTier> tiers = new ArrayList<>();
        Usage capacity = store.usage(Tier.CAPACITY);
        tiers.add(new NodeTier("capacity", capacity.objects(), capacity.bytes(), budget == 0 ? null : budget));
        if (store.fastDirectory().isPresent()) {
            Usage fast = store.usage(Tier.FAST);
            tiers.add(new NodeTier("fast", fast.objects(), fast.bytes(), store.fastLimit()));
        }
        return tiers;
    }
}
