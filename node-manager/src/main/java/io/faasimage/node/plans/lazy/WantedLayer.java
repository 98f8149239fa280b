package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.Optional;

/**
 * A layer that a client of containerd is about to fetch.
 *
 * @param chain its chain ID, which the image's configuration claims
 * @param manifest digest of the manifest of the image that is pulled, if the client names it
 * @param purpose of putting the image into containerd
 * @param containerd number of the containerd, from 1
 * @param namespace of containerd that the image is pulled into; empty when it is not known
 * @param reference by which the client pulls the image, if it says so
 */
public record WantedLayer(
        ChainId chain,
        Optional<Digest> manifest,
        PullProof.Purpose purpose,
        int containerd,
        String namespace,
        Optional<String> reference) {
    /** A layer of a client that does not say by which reference it pulls. */
    public WantedLayer(
            ChainId chain, Optional<Digest> manifest, PullProof.Purpose purpose, int containerd, String namespace) {
        this(chain, manifest, purpose, containerd, namespace, Optional.empty());
    }
}
