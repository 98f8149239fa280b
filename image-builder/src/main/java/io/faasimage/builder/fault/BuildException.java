package io.faasimage.builder.fault;

import java.io.IOException;

/** A build that cannot be done; the message names the attempt, the thing and the remedy. */
public final class BuildException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Who has to do what about it. */
    public enum Kind {
        /** The request or the archive is wrong: correct it. */
        BAD_REQUEST,
        /** The archive is larger than the limits allow: leave something out, or raise the limit. */
        TOO_LARGE,
        /** The package manager failed: its output says why. */
        INSTALL,
        /** The installation needed more time, memory or disk than it may have. */
        LIMIT,
        /** The service's machine cannot build: something is missing there, or its disk is full. */
        MACHINE,
        /** Someone ended the build. */
        CANCELLED
    }

    private final Kind kind;

    /** A failure of this kind. */
    public BuildException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** A failure of this kind that another one caused. */
    public BuildException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** A request that is wrong. */
    public static BuildException badRequest(String message) {
        return new BuildException(Kind.BAD_REQUEST, message);
    }

    /** Who has to do what about it. */
    public Kind kind() {
        return kind;
    }
}
