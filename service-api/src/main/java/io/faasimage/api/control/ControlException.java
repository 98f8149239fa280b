package io.faasimage.api.control;

import java.io.IOException;

/** A command that the local process refused or could not do; the message is for the user. */
public final class ControlException extends IOException {
    private static final long serialVersionUID = 1L;

    /** A failure with a message for the user. */
    public ControlException(String message) {
        super(message);
    }
}
