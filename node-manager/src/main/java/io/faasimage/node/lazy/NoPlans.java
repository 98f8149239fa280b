package io.faasimage.node.lazy;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.rootfs.RootLayers;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The planned chains of a node without a registry: there are none. */
enum NoPlans implements LazyImages {
    INSTANCE;

    @Override
    public boolean isPlanned(WantedLayer layer) {
        return false;
    }

    @Override
    public void claimed(ChainId chain) {
        // never called: nothing is planned
    }

    @Override
    public RootLayers open(ChainId chain, boolean nested) throws IOException {
        throw new IOException("layer " + chain + " was pulled with a plan, but this node has no service configured;"
                + " start node-manager with --registry, or remove the image and pull it again");
    }

    @Override
    public void released(ChainId chain, BooleanSupplier unused) {
        // nothing is held
    }
}
