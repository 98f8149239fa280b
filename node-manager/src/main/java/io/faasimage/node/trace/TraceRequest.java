package io.faasimage.node.trace;

import io.faasimage.api.image.Readiness;
import java.util.Optional;

/**
 * The parameters of a trace.
 *
 * @param readiness tells when the function is ready, which ends the trace; without it the trace ends when it is quiet
 * @param limits its bounds
 */
public record TraceRequest(Optional<Readiness> readiness, TraceLimits limits) {}
