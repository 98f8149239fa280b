package io.faasimage.layer;

import java.io.IOException;

/** A layer that cannot be read; the kind implies the remedy. */
public final class LayerException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The kind of failure. */
    public enum Kind {
        /** A layer that is damaged or hostile: rebuild the image. */
        INVALID,
        /** A compression or feature that is not supported. */
        UNSUPPORTED,
        /** Larger than a reader may allow. */
        LIMIT
    }

    private final Kind kind;

    /** A failure of this kind. */
    public LayerException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** A failure of this kind that another one caused. */
    public LayerException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }
}
