package io.faasimage.node.starts.trace;

import io.faasimage.api.image.Readiness;
import java.util.Optional;

/**
 * The parameters of a trace.
 *
 * @param readiness reports when the function is ready, which ends the trace; without it the trace ends when it is quiet
 * @param limits its bounds
 * @param detail how large files of a planned image are traced
 */
public record TraceRequest(Optional<Readiness> readiness, TraceLimits limits, Detail detail) {
    /** How large files of a planned image are traced. */
    public enum Detail {
        /** That they are read. Costs the start least. */
        FILES,
        /** Which parts are read, if that can be seen. */
        PARTS_IF_SEEN,
        /** Which parts are read: the start is not traced if that cannot be seen. */
        PARTS
    }

    /** A trace with the parts of large files that can be seen. */
    public TraceRequest(Optional<Readiness> readiness, TraceLimits limits) {
        this(readiness, limits, Detail.PARTS_IF_SEEN);
    }
}
