package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.io.IOException;

/** An object whose content does not have its digest; it was refused. */
final class CorruptObjectException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptObjectException(Digest digest, Throwable cause) {
        super("object " + digest + " arrived damaged (" + cause.getMessage() + ")", cause);
    }
}
