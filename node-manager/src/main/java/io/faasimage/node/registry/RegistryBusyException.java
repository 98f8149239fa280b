package io.faasimage.node.registry;

import java.io.IOException;

/** The registry service has asked for a pause that is not over. */
public final class RegistryBusyException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public RegistryBusyException(String message) {
        super(message);
    }

    /** With the reason and the answer behind it. */
    public RegistryBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
