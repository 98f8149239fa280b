package io.faasimage.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A failed operation of the store; the kind implies the remedy. Errors of a content's source are not of this
 * type.
 */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Kind {
        /** The content does not have its digest or size: fetch it again from its source. */
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

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }
}
