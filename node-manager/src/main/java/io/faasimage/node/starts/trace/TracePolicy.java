package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import java.util.Optional;

/**
 * The policy that decides which starts are traced. Thread-safe; an answer comes within a bounded time, because the
 * start waits for it.
 */
@FunctionalInterface
public interface TracePolicy {
    /**
     * How to trace this start; empty when a trace is not wanted, or the policy cannot be known.
     *
     * @param key the container's snapshot
     * @param chain the image's layers
     */
    Optional<TraceRequest> wanted(String key, ChainId chain);
}
