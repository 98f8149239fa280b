package io.faasimage.node.starts.trace;

import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.Optional;

/**
 * The readiness that the functions of an image are registered with. Thread-safe; an answer comes within a bounded time.
 */
@FunctionalInterface
public interface RegisteredReadiness {
    /**
     * The readiness of an image; empty when its functions have none.
     *
     * @param chain of the whole image
     * @param manifest digest of its manifest
     * @throws IOException when the service cannot be reached
     */
    Optional<Readiness> of(ChainId chain, Digest manifest) throws IOException;
}
