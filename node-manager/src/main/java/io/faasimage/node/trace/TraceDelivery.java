package io.faasimage.node.trace;

import io.faasimage.format.trace.Trace;
import java.io.IOException;

/** Hands a trace to the registry. Called by one thread at a time; blocks for a bounded time. */
@FunctionalInterface
public interface TraceDelivery {
    /** What became of a trace. */
    enum Outcome {
        /** The registry has it. */
        ACCEPTED,
        /** The registry will never take it, such as for an image it does not know. */
        REFUSED
    }

    /**
     * Delivers {@code trace}.
     *
     * @throws IOException when it should be tried again later
     */
    Outcome deliver(Trace trace) throws IOException;
}
