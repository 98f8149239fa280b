package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.List;

/** The manifests of the images that are being pulled. Thread-safe; every call is bounded in time. */
@FunctionalInterface
public interface PulledManifests {
    /** Those that the clients name, and no others. */
    PulledManifests NAMED =
            layer -> List.of(layer.manifest().orElseThrow(() -> new IOException("the client does not name it")));

    /**
     * Digests of the manifests that {@code layer} may be pulled for: one when the client names it, else every one that
     * has the layer. Never empty.
     *
     * @throws IOException when it cannot be found, with the reason
     */
    List<Digest> of(WantedLayer layer) throws IOException;
}
