package io.faasimage.node.plan;

import io.faasimage.format.id.Digest;
import java.io.IOException;

/** Finds the manifest of an image that is being pulled. Thread-safe; every call is bounded in time. */
@FunctionalInterface
public interface PulledManifests {
    /** Those that the clients name, and no others. */
    PulledManifests NAMED = layer -> layer.manifest().orElseThrow(() -> new IOException("the client does not name it"));

    /**
     * The digest of the manifest that {@code layer} is pulled for.
     *
     * @throws IOException when it cannot be found, with the reason
     */
    Digest of(WantedLayer layer) throws IOException;
}
