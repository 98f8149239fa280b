package io.faasimage.node.starts.trace;

/** A trace that came to nothing; the message has the reason. */
public final class TraceDiscardedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public TraceDiscardedException(String reason) {
        super(reason);
    }
}
