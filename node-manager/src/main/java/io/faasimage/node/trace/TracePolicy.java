package io.faasimage.node.trace;

import io.faasimage.format.id.ChainId;
import java.util.Optional;

/**
 * The policy that decides which starts are traced. Thread-safe; an answer comes within a bounded time, it holds up the
 * start.
 */
@FunctionalInterface
public interface TracePolicy {
    /**
     * How to trace this start; empty when it is not wanted, or nobody can tell.
     *
     * @param key the container's snapshot
     * @param chain the image's layers
     */
    Optional<TraceRequest> wanted(String key, ChainId chain);
}
