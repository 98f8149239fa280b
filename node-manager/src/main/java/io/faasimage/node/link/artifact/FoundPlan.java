package io.faasimage.node.link.artifact;

import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.PrefixImage;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.statement.SignedDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan that was found beside its image, and may be used on this node.
 *
 * @param plan its digest
 * @param reference of the image, at whose repository the packs are
 * @param statement the signed statement
 * @param predicted whether the plan is predicted
 * @param prefixes metadata images of its other layers
 * @param packs where its frames are
 * @param way how it was found, for people
 * @param documents its documents; null when they have been read before
 */
record FoundPlan(
        Digest plan,
        ImageReference reference,
        SignedDocument statement,
        boolean predicted,
        List<PrefixImage> prefixes,
        List<ArtifactPack> packs,
        String way,
        @Nullable Documents documents) {
    /** The head that was read, and the plan in it. */
    record Documents(ArtifactHead head, Plan plan) {}

    FoundPlan {
        prefixes = List.copyOf(prefixes);
        packs = List.copyOf(packs);
    }

    FoundPlan withoutDocuments() {
        return new FoundPlan(plan, reference, statement, predicted, prefixes, packs, way, null);
    }
}
