package io.faasimage.node.starts.trace;

import io.faasimage.format.trace.Trace;
import java.io.IOException;

/** The delivery of a trace to the service. Called by one thread at a time; blocks for a bounded time. */
@FunctionalInterface
public interface TraceDelivery {
    /** The outcome of a trace. */
    enum Outcome {
        /** The service has it. */
        ACCEPTED,
        /** The service will never take it, such as for an image it does not know. */
        REFUSED
    }

    /**
     * Delivers {@code trace}.
     *
     * @throws IOException when it should be tried again later
     */
    Outcome deliver(Trace trace) throws IOException;
}
