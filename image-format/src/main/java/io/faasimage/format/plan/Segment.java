package io.faasimage.format.plan;

/** The part of a function image that an object belongs to (FaaSImage §3.1, §4.1). The ordinal is its code in formats. */
public enum Segment {
    /** Operating system and language runtime, common to functions. */
    BASE,
    /** A third-party library with a name and a version. */
    LIB,
    /** Code and dependencies of this function alone. */
    FUNC;

    /** The lower-case name used in REST and on the command line. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
