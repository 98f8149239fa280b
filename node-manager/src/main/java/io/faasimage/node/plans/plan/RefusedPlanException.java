package io.faasimage.node.plans.plan;

import io.faasimage.format.id.Digest;
import java.io.IOException;

/** A plan without a statement of a pinned key; the message names the plan and the reason. */
public final class RefusedPlanException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedPlanException(Digest plan, Digest image, String problem) {
        super("plan " + plan + " of image " + image + " is refused: " + problem);
    }
}
