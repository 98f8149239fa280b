package io.faasimage.adapter.config;

/** A failure to start the adapter; the message is for the operator. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure whose message names the remedy. */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
