package io.faasimage.format.plan;

import java.util.Locale;

/** The part of a function image that an object belongs to (FaaSImage §3.1, §4.1). */
public enum Segment {
    /** Operating system and language runtime, common to functions. */
    BASE(0),
    /** A third-party library with a name and a version. */
    LIB(1),
    /** Code and dependencies of this function alone. */
    FUNC(2);

    private final int code;

    Segment(int code) {
        this.code = code;
    }

    /** The number that stands for it in formats. */
    public int code() {
        return code;
    }

    /** The segment of this code; {@link IllegalArgumentException} when there is none. */
    public static Segment ofCode(int code) {
        return switch (code) {
            case 0 -> BASE;
            case 1 -> LIB;
            case 2 -> FUNC;
            default -> throw new IllegalArgumentException("no segment has code " + code);
        };
    }

    /** The lower-case name used in REST and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
