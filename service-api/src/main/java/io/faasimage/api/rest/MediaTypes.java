package io.faasimage.api.rest;

import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.trace.TraceCodec;

/** Media types of faasimage's binary formats, as their codecs name them. */
public final class MediaTypes {
    /** An encoded trace. */
    public static final String TRACE = TraceCodec.MEDIA_TYPE;

    /** An encoded plan. */
    public static final String PLAN = PlanCodec.MEDIA_TYPE;

    /** A bundle stream. */
    public static final String BUNDLE = BundleWriter.MEDIA_TYPE;

    private MediaTypes() {}
}
