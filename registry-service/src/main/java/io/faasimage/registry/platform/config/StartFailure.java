package io.faasimage.registry.platform.config;

/** A failure of the start for a reason that the operator can remove; the message is one line and names the option. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with this line. */
    public StartFailure(String message) {
        super(message);
    }

    /** A failure with this line that another one caused. */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
