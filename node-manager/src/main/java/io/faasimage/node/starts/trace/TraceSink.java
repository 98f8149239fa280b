package io.faasimage.node.starts.trace;

import io.faasimage.format.trace.Trace;

/** A receiver of finished traces. Thread-safe; returns soon. */
@FunctionalInterface
public interface TraceSink {
    /** Drops them. */
    TraceSink NONE = (_, _) -> {};

    /** The start of {@code key} has been traced. */
    void traced(String key, Trace trace);
}
