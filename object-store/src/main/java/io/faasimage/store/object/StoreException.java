package io.faasimage.store.object;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
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

    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** A failed write of {@code what} into {@code where}. */
    public static StoreException ofWrite(String what, Path where, IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        return lower.contains("no space left") || lower.contains("quota exceeded")
                ? new StoreException(
                        Kind.FULL, "no space for " + what + " in " + where + "; free space on that file system", cause)
                : new StoreException(Kind.FAILED, "could not write " + what + " into " + where + ": " + reason, cause);
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }
}
