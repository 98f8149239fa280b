package io.faasimage.node.link.service;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.Optional;

/** A source of bundles other than the service. Thread-safe; blocking within bounds. */
public interface OtherPlans {
    /** Has nothing. */
    OtherPlans NONE = new OtherPlans() {
        @Override
        public Optional<BundleStream> bundle(BundleRequest request) {
            return Optional.empty();
        }

        @Override
        public Optional<ObjectContent> metadata(Digest image) {
            return Optional.empty();
        }
    };

    /**
     * Opens a bundle; empty when it knows no such plan, or has nothing of the requested numbers. It may leave out a
     * part of these.
     *
     * @throws IOException when it cannot be found out
     */
    Optional<BundleStream> bundle(BundleRequest request) throws IOException;

    /**
     * Opens the metadata image of some layers of a plan on this node; empty when it does not have it.
     *
     * @throws IOException when it cannot be found out
     */
    Optional<ObjectContent> metadata(Digest image) throws IOException;
}
