package io.faasimage.node.plans.lookup;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.plans.plan.StoredPlan;
import java.util.List;
import java.util.Optional;

/**
 * A request for a plan, as it is sent to the service: by a chain or by an image.
 *
 * @param chain that the plan has; its top when objects are wanted
 * @param image manifest digest of the image; an image without a plan of its own is answered by its planned layers
 * @param wantsObjects whether objects of the prefetch list are to come with the plan
 * @param isForStart whether a start may wait for the answer
 */
public record PlanQuestion(Optional<ChainId> chain, Optional<Digest> image, boolean wantsObjects, boolean isForStart) {
    /** The plan of an image by its top. */
    public static PlanQuestion ofChain(ChainId top) {
        return new PlanQuestion(Optional.of(top), Optional.empty(), true, true);
    }

    /** The newest plan that contains a chain; nothing is pulled. */
    public static PlanQuestion newest(ChainId chain) {
        return new PlanQuestion(Optional.of(chain), Optional.empty(), false, true);
    }

    /** The newest plan of an image, or those of its layers that are planned. */
    public static PlanQuestion ofImage(Digest manifest) {
        return new PlanQuestion(Optional.empty(), Optional.of(manifest), true, true);
    }

    /** The newest plan of an image for the catalogue; nothing is pulled, and no start waits. */
    public static PlanQuestion forCatalogue(Digest manifest) {
        return new PlanQuestion(Optional.empty(), Optional.of(manifest), false, false);
    }

    /** The request in words. */
    String text() {
        return image.map(manifest -> "the plan of image " + manifest)
                .orElseGet(() -> (wantsObjects ? "the plan of chain " : "a plan with chain ") + chain.orElseThrow());
    }

    /** Whether a plan answers the request. */
    boolean isAnsweredBy(StoredPlan plan) {
        return image.map(plan.image()::equals)
                .orElseGet(() -> plan.layer(chain.orElseThrow()).isPresent());
    }

    /** Whether a plan is of the very image that was requested, so that its prefetch list is wanted. */
    boolean isForWhole(StoredPlan plan) {
        return wantsObjects && chain.map(plan.top().chainId()::equals).orElse(true);
    }

    /**
     * The request.
     *
     * @param segments whose objects are to come
     * @param have plans whose objects are present on this node
     * @param firstBytes most bytes of objects that are to come
     */
    BundleRequest request(List<String> segments, List<String> have, long firstBytes) {
        return new BundleRequest(
                chain.map(ChainId::toString).orElse(null),
                image.map(Digest::toString).orElse(null),
                null,
                segments,
                true,
                true,
                ObjectSet.STARTUP,
                have,
                firstBytes,
                image.isPresent() ? Prefix.CHAINS : Prefix.NEWEST,
                null,
                0);
    }
}
