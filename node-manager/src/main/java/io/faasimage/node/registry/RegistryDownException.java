package io.faasimage.node.registry;

import java.io.IOException;

/** The registry service cannot be asked now; the message says why and what was tried. */
public final class RegistryDownException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public RegistryDownException(String message) {
        super(message);
    }

    /** With the reason and the failure behind it. */
    public RegistryDownException(String message, Throwable cause) {
        super(message, cause);
    }
}
