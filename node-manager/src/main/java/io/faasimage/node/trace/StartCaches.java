package io.faasimage.node.trace;

import io.faasimage.format.id.ChainId;
import java.nio.file.Path;
import java.time.Instant;

/** A receiver of starts whose caches are to be learnt. Thread-safe. */
@FunctionalInterface
public interface StartCaches {
    /** Learns nothing. */
    StartCaches NONE = (key, chain, upper, until) -> {};

    /**
     * Called by the trace's thread when the function was ready.
     *
     * @param key the snapshot's key
     * @param chain of the image
     * @param upper the upper directory of the container's overlay
     * @param until what was written before this time was written before anybody could send the function a request
     */
    void ready(String key, ChainId chain, Path upper, Instant until);
}
