package io.faasimage.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A store that could not do what was asked; the kind implies the remedy. Errors of a content's source are not of this
 * type.
 */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** The content is not what its digest or size says: get it again from its source. */
        WRONG_CONTENT,
        /** The disk is full: free space. */
        FULL,
        /** Another process uses the store under the same writer name. */
        IN_USE,
        /** The disk or the file system failed. */
        FAILED
    }

    private final Kind kind;

    StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }
}
