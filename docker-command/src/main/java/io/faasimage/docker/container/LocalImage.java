package io.faasimage.docker.container;

import io.faasimage.docker.spec.ImageConfig;
import io.faasimage.format.id.ChainId;

/**
 * An image that containerd has.
 *
 * @param name its full name
 * @param config its configuration
 */
record LocalImage(String name, ImageConfig config) {
    /** Chain ID of its top layer. */
    ChainId top() {
        return ChainId.ofLayers(config.diffIds()).getLast();
    }
}
