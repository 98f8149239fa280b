package io.faasimage.api.control.node;

import io.faasimage.api.image.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a trace.
 *
 * @param image full name
 * @param chain chain ID of the image
 * @param files traced
 * @param delivered whether the service has the trace already; otherwise it is kept until it does
 * @param readiness the probe that ended the trace; null when it ended because no new file was opened
 * @param trace encoded, in Base64; null where only the outcome is shown
 * @param millis in all
 */
public record ImageTraceOutcome(
        String image,
        String chain,
        int files,
        boolean delivered,
        @Nullable Readiness readiness,
        @Nullable String trace,
        long millis) {}
