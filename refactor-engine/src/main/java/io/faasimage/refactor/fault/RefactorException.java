package io.faasimage.refactor.fault;

import io.faasimage.layer.LayerException;
import java.io.IOException;

/**
 * An image that cannot be read or refactored; the message names the image, layer or entry, the kind implies the remedy.
 */
public final class RefactorException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The kind of failure. */
    public enum Kind {
        /** The reference, file or configuration was mistyped: correct it. */
        BAD_REQUEST,
        /** No such image, platform or blob: push it, or correct the reference. */
        NOT_FOUND,
        /** The registry requires credentials, or others: log in. */
        UNAUTHORIZED,
        /** The registry did not answer, or broke off: try again later. */
        UNAVAILABLE,
        /** The registry sends less than it must: retry later, not at once, as each retry delays other images. */
        SLOW,
        /** Bytes do not match their digest: push the image again. */
        DIGEST_MISMATCH,
        /** A manifest, layer or entry that is damaged or hostile: rebuild the image. */
        INVALID,
        /** A media type, format or feature that is not supported. */
        UNSUPPORTED,
        /** Larger than the configured limits allow: raise the limit if the image is trusted. */
        LIMIT,
        /** The local disk failed or is full. */
        LOCAL,
        /** The thread was interrupted: the job was cancelled. */
        CANCELLED
    }

    private final Kind kind;

    /** A failure of this kind. */
    public RefactorException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** A failure of this kind that another one caused. */
    public RefactorException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The same failure, of a layer. */
    public static RefactorException of(LayerException e) {
        Kind kind = switch (e.kind()) {
            case INVALID -> Kind.INVALID;
            case UNSUPPORTED -> Kind.UNSUPPORTED;
            case LIMIT -> Kind.LIMIT;
        };
        return new RefactorException(kind, String.valueOf(e.getMessage()), e);
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }

    /** True when the same request may succeed if it is sent again at once. */
    public boolean isWorthRepeating() {
        return isTransient() && kind != Kind.SLOW;
    }

    /** True when the same request may succeed later without a change. */
    public boolean isTransient() {
        return kind == Kind.UNAVAILABLE || kind == Kind.SLOW || kind == Kind.CANCELLED;
    }
}
