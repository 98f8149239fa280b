package io.faasimage.adapter.config;

/** The adapter cannot start; the message is for the operator. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** For a reason that has a remedy. */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
