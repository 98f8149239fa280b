package io.faasimage.api;

/** Media types of faasimage's binary formats. */
public final class MediaTypes {
    /** An encoded trace. */
    public static final String TRACE = "application/vnd.faasimage.trace";

    /** An encoded plan. */
    public static final String PLAN = "application/vnd.faasimage.plan";

    /** A bundle stream. */
    public static final String BUNDLE = "application/vnd.faasimage.bundle";

    private MediaTypes() {}
}
