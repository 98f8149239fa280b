package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerLimits;
import io.faasimage.refactor.spool.Spool;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * The search for layers that need not be read, because they were read before, their source proves to have them and all
 * their contents are stored. Thread-safe.
 */
final class HeldLayers {
    private final ShownLayers shown;
    private final Holdings holdings;
    private final Spool spool;
    private final LayerLimits limits;

    HeldLayers(ImageSource source, Holdings holdings, Spool spool, LayerLimits limits) {
        this.shown = new ShownLayers(source, holdings::layerIndex);
        this.holdings = holdings;
        this.spool = spool;
        this.limits = limits;
    }

    /** The index of the layer, its contents known to the spool as held; absent when the layer has to be read. */
    Optional<LayerIndex> find(LayerDescriptor layer, Digest diffId) throws IOException {
        Optional<LayerIndex> index = shown.index(layer, diffId);
        if (index.isEmpty()) {
            return Optional.empty();
        }
        Set<Digest> contents = index.get().contents();
        if (holdings.held(contents).size() < contents.size() || !shown.isShown(layer, index.get())) {
            return Optional.empty();
        }
        limits.count(index.get().counts());
        spool.addHeld(contents);
        return index;
    }
}
