package io.faasimage.refactor;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.layer.BlobBlocks;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerIndexCodec;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Layers that were read before and that an image's source has proved to have. An index is of one blob, whose bytes were
 * verified to uncompress to its diff ID when it was read. It stands for a layer only if the image's manifest names this
 * blob, its configuration this diff ID, and the source gives a block of the blob that nobody can foresee: so nobody
 * gets the content of a layer by claiming its digests. Thread-safe.
 */
public final class ShownLayers {
    private static final System.Logger LOG = System.getLogger(ShownLayers.class.getName());

    private final ImageSource source;
    private final Indexes indexes;
    private final SecureRandom random = new SecureRandom();

    /** The bytes of the indexes that were made of layer blobs. */
    @FunctionalInterface
    public interface Indexes {
        /** The index of this blob, if any. */
        Optional<byte[]> find(Digest blob) throws IOException;
    }

    /** Layers with an index, from {@code source}. */
    public ShownLayers(ImageSource source, Indexes indexes) {
        this.source = source;
        this.indexes = indexes;
    }

    /** The number of the lowest layers of an image that its source has shown. */
    public int count(ResolvedImage image) throws IOException {
        int shown = 0;
        while (shown < image.layers().size()
                && isShown(image.layers().get(shown), image.diffIds().get(shown))) {
            shown++;
        }
        return shown;
    }

    private boolean isShown(LayerDescriptor layer, Digest diffId) throws IOException {
        Optional<LayerIndex> index = index(layer, diffId);
        return index.isPresent() && isShown(layer, index.get());
    }

    /** The index of the layer; absent when it was not read before, under these digests. */
    Optional<LayerIndex> index(LayerDescriptor layer, Digest diffId) throws IOException {
        return indexes.find(layer.digest())
                .flatMap(bytes -> decode(layer, bytes))
                .filter(index -> index.blob().equals(layer.digest())
                        && index.diffId().equals(diffId)
                        && index.blocks().size() == layer.size());
    }

    /** Whether the source gives a random block of the blob. */
    boolean isShown(LayerDescriptor layer, LayerIndex index) throws IOException {
        BlobBlocks blocks = index.blocks();
        if (blocks.digests().isEmpty()) {
            return false;
        }
        int number = random.nextInt(blocks.digests().size());
        Optional<byte[]> block = source.range(layer, blocks.offset(number), blocks.length(number));
        if (block.isPresent() && !Digest.of(block.get()).equals(blocks.digests().get(number))) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "layer {0} is read again: its source delivered different bytes from {1}",
                    layer.digest(),
                    blocks.offset(number));
            return false;
        }
        return block.isPresent();
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
