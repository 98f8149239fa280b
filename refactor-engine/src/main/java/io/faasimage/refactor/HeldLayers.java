package io.faasimage.refactor;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerIndexCodec;
import io.faasimage.refactor.layer.LayerLimits;
import io.faasimage.refactor.spool.Spool;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Finds layers that need not be read, because they were before and everything in them is held. Thread-safe.
 *
 * <p>An index is of one blob, whose bytes were verified to uncompress to its diff ID when it was read. It stands for a layer
 * only if the image's manifest names this blob, its configuration this diff ID, and the image's source still gives out
 * the blob: so nobody gets the content of a layer by claiming its digests.
 */
final class HeldLayers {
    private static final System.Logger LOG = System.getLogger(HeldLayers.class.getName());

    private final ImageSource source;
    private final Holdings holdings;
    private final Spool spool;
    private final LayerLimits limits;

    HeldLayers(ImageSource source, Holdings holdings, Spool spool, LayerLimits limits) {
        this.source = source;
        this.holdings = holdings;
        this.spool = spool;
        this.limits = limits;
    }

    /** The index of the layer, its contents known to the spool as held; absent when the layer has to be read. */
    Optional<LayerIndex> find(LayerDescriptor layer, Digest diffId) throws IOException {
        Optional<LayerIndex> index = holdings.layerIndex(layer.digest()).flatMap(bytes -> decode(layer, bytes));
        if (index.isEmpty()
                || !index.get().blob().equals(layer.digest())
                || !index.get().diffId().equals(diffId)) {
            return Optional.empty();
        }
        Set<Digest> contents = index.get().contents();
        if (holdings.held(contents).size() < contents.size() || !source.vouchesFor(layer)) {
            return Optional.empty();
        }
        limits.count(index.get().counts());
        spool.addHeld(contents);
        return index;
    }

    private static Optional<LayerIndex> decode(LayerDescriptor layer, byte[] bytes) {
        try {
            return Optional.of(LayerIndexCodec.decode(bytes));
        } catch (FormatException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "layer {0} is read again, its index cannot be used: {1}",
                    layer.digest(),
                    e.getMessage());
            return Optional.empty();
        }
    }
}
