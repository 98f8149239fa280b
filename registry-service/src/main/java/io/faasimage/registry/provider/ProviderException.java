package io.faasimage.registry.provider;

import java.io.IOException;

/** The failure of a request to an issuer; the message names it and the reason, and has no token. */
public final class ProviderException extends IOException {
    ProviderException(String message, Throwable cause) {
        super(message, cause);
    }

    ProviderException(String message) {
        super(message);
    }

    /** The answer of an issuer is not valid. */
    public static ProviderException of(String issuer, String reason) {
        return new ProviderException("the answer of " + issuer + " is not accepted: " + reason);
    }
}
