package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.io.IOException;

/** The service does not know a plan any more. */
final class UnknownPlanException extends IOException {
    private static final long serialVersionUID = 1L;

    UnknownPlanException(Digest plan) {
        super("the service does not know plan " + plan + " (any more)");
    }
}
