package io.faasimage.registry.store.signing;

import java.io.IOException;

/** The failure to make a signature now; the message has the reason. */
public final class SigningException extends IOException {
    private static final long serialVersionUID = 1L;

    SigningException(String message) {
        super("could not sign: " + message);
    }

    SigningException(IOException cause) {
        super("could not sign: " + cause.getMessage(), cause);
    }
}
