package io.faasimage.node.plans.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The part of a plan that is kept in memory; its objects are read from the disk when they are needed.
 *
 * @param digest of the encoded plan
 * @param image manifest digest of the image it is for
 * @param layers bottom first
 * @param received when it came, or came again, from the service
 */
public record StoredPlan(Digest digest, Digest image, List<PlanLayer> layers, Instant received) {
    public StoredPlan {
        layers = List.copyOf(layers);
    }

    static StoredPlan of(Digest digest, Plan plan, Instant received) {
        return new StoredPlan(digest, plan.image(), plan.layers(), received);
    }

    /** The layers of the whole image. */
    public PlanLayer top() {
        return layers.getLast();
    }

    /** The layer whose chain ID is {@code chain}. */
    public Optional<PlanLayer> layer(ChainId chain) {
        return layers.stream().filter(layer -> layer.chainId().equals(chain)).findFirst();
    }
}
