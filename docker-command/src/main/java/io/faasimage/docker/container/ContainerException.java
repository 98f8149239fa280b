package io.faasimage.docker.container;

import java.io.IOException;

/** What cannot be done with a container; the message is for the user. */
public final class ContainerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What went wrong. */
    public enum Kind {
        /** There is no such container. */
        UNKNOWN,
        /** It is not in the state for it, or its name is taken. */
        CONFLICT
    }

    ContainerException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }
}
