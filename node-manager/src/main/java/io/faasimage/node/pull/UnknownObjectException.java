package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.io.IOException;

/** The service does not have an object. */
final class UnknownObjectException extends IOException {
    private static final long serialVersionUID = 1L;

    UnknownObjectException(Digest object) {
        super("the service does not have object " + object);
    }
}
