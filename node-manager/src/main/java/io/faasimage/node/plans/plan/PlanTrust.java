package io.faasimage.node.plans.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.VerifyingKeys;
import java.util.Optional;

/**
 * The keys that this node has pinned ({@code --plan-key}): a plan is used only if one of them has signed a statement
 * that it is of its image. Metadata images and objects are verified by the digests in the plan. Immutable.
 *
 * @param keys that are pinned; empty when every plan is used
 * @param platform of this node, such as {@code linux/amd64}
 */
public record PlanTrust(Optional<VerifyingKeys> keys, String platform) {
    /** Every plan is used. */
    public static final PlanTrust EVERY_PLAN = new PlanTrust(Optional.empty(), "");

    /** Prepares the first verification, for which a start would wait. */
    public void warmUp() {
        keys.ifPresent(VerifyingKeys::warmUp);
    }

    /** Why a plan may not be used; empty when it may. */
    Optional<String> problem(Digest plan, Digest image, ChainId top, Optional<SignedDocument> statement) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        return statement.isEmpty()
                ? Optional.of("it is not signed, and --plan-key requires a signature")
                : problem(plan, image, Optional.of(top), statement.get());
    }

    /** Why a plan may not be used that has not been read yet, so that its top is not known; empty when it may. */
    public Optional<String> problem(Digest plan, Digest image, SignedDocument statement) {
        return problem(plan, image, Optional.empty(), statement);
    }

    private Optional<String> problem(Digest plan, Digest image, Optional<ChainId> top, SignedDocument signed) {
        if (keys.isEmpty()) {
            return Optional.of("no --plan-key is given");
        }
        if (!keys.get().has(signed.key())) {
            return Optional.of("it is signed by key " + signed.key() + ", which no --plan-key has");
        }
        if (!keys.get().verify(signed)) {
            return Optional.of("its signature is not one of key " + signed.key());
        }
        try {
            return problem(PlanStatement.decode(signed.document()), plan, image, top);
        } catch (FormatException e) {
            return Optional.of("its statement cannot be read: " + e.getMessage());
        }
    }

    private Optional<String> problem(PlanStatement statement, Digest plan, Digest image, Optional<ChainId> top) {
        if (!statement.isOf(plan, image, top.orElse(statement.chain()))) {
            return Optional.of("its signature is of another plan: " + statement.plan() + " of image "
                    + statement.images().getFirst());
        }
        return statement.platform().equals(platform)
                ? Optional.empty()
                : Optional.of("its signature is of platform " + statement.platform() + ", this node is " + platform);
    }
}
