package io.faasimage.registry.signature;

/** The reason why one signature does not count. The message contains nothing of what a registry sent, unverified. */
final class SignatureFault extends Exception {
    private static final long serialVersionUID = 1L;

    SignatureFault(String message) {
        super(message);
    }

    SignatureFault(String message, Throwable cause) {
        super(message, cause);
    }
}
