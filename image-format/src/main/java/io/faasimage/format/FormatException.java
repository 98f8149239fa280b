package io.faasimage.format;

import java.io.IOException;

/** A failure to parse bytes of a format; the kind implies the remedy. */
public final class FormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Kind {
        /** Not this format, or damaged: fetch it again. */
        CORRUPT,
        /** Written by a version that is no longer read: make it again. */
        TOO_OLD,
        /** Written by a later version: upgrade this program. */
        TOO_NEW
    }

    private final Kind kind;

    /** A failure of this kind. */
    public FormatException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }

    /** Shorthand for a {@link Kind#CORRUPT} failure. */
    public static FormatException corrupt(String message) {
        return new FormatException(Kind.CORRUPT, message);
    }
}
