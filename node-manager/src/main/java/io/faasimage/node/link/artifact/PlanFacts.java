package io.faasimage.node.link.artifact;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.statement.SignedDocument;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The facts of this node about images and plans, which answers from registries depend on. Thread-safe. */
public interface PlanFacts {
    /** References by which a manifest may be had, the likeliest first; the one by which it is pulled alone if known. */
    List<ImageReference> references(Digest manifest) throws IOException;

    /** The manifest of the image that a plan on this node is of. */
    Optional<Digest> imageOf(Digest plan);

    /**
     * The manifests of images with this top, of which a plan is on this node; without one, some in containerd that have
     * this chain, those with this top first.
     */
    List<Digest> imagesOf(ChainId chain) throws IOException;

    /** The plans on this node that have a metadata image, with the manifests of their images. */
    Map<Digest, Digest> plansWith(Digest metadata);

    /** The plan; empty when it is not on this node. */
    Optional<Plan> load(Digest plan) throws IOException;

    /** Whether a key of this ID may sign plans. */
    boolean isPinned(Digest key);

    /** Why a plan of an image may not be used, with this statement; empty when it may. */
    Optional<String> problem(Digest plan, Digest image, SignedDocument statement);
}
