package io.faasimage.node.plans.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The plans of a node by digest, and those that may be used by chain and image. A refused one is only listed:
 * containers that were started before its refusal may still run on it. Thread-safe.
 */
final class PlanIndex {
    private final Map<Digest, StoredPlan> byDigest = new HashMap<>();
    private final Set<Digest> refused = new HashSet<>();
    private final Map<ChainId, StoredPlan> byChain = new HashMap<>();
    private final Map<Digest, Map<Digest, StoredPlan>> byImage = new HashMap<>();

    /** Adds a plan that may be used. */
    synchronized void add(StoredPlan plan) {
        byDigest.put(plan.digest(), plan);
        refused.remove(plan.digest());
        use(plan);
    }

    /** Adds a plan that may not be used. */
    synchronized void addRefused(StoredPlan plan) {
        byDigest.put(plan.digest(), plan);
        refused.add(plan.digest());
    }

    private void use(StoredPlan plan) {
        byImage.computeIfAbsent(plan.image(), image -> new HashMap<>()).put(plan.digest(), plan);
        for (PlanLayer layer : plan.layers()) {
            byChain.merge(layer.chainId(), plan, (a, b) -> preferred(layer.chainId(), a, b));
        }
    }

    /** A plan that ends at the chain before one that continues, and the newer before the older. */
    private static StoredPlan preferred(ChainId chain, StoredPlan a, StoredPlan b) {
        Comparator<StoredPlan> order = Comparator.<StoredPlan, Boolean>comparing(
                        plan -> plan.top().chainId().equals(chain))
                .thenComparing(StoredPlan::received)
                .thenComparing(StoredPlan::digest);
        return order.compare(a, b) >= 0 ? a : b;
    }

    synchronized void remove(Digest digest) {
        byDigest.remove(digest);
        refused.remove(digest);
        byChain.clear();
        byImage.clear();
        byDigest.values().stream()
                .filter(plan -> !refused.contains(plan.digest()))
                .forEach(this::use);
    }

    /** The plan for {@code chain} that may be used: one whose top it is, else the newest that contains it. */
    synchronized Optional<StoredPlan> find(ChainId chain) {
        return Optional.ofNullable(byChain.get(chain));
    }

    /** The plans of an image that may be used. */
    synchronized List<StoredPlan> of(Digest image) {
        return List.copyOf(byImage.getOrDefault(image, Map.of()).values());
    }

    synchronized Optional<StoredPlan> get(Digest digest) {
        return Optional.ofNullable(byDigest.get(digest));
    }

    synchronized List<StoredPlan> all() {
        return List.copyOf(byDigest.values());
    }

    /** Those that may not be used. */
    synchronized List<StoredPlan> refused() {
        Collection<StoredPlan> plans = byDigest.values();
        return plans.stream().filter(plan -> refused.contains(plan.digest())).toList();
    }
}
