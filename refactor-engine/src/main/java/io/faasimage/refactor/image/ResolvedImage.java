package io.faasimage.refactor.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.Optional;

/**
 * One platform's image, its manifest and configuration read and verified.
 *
 * @param reference that was resolved
 * @param platform that was requested
 * @param manifest digest of the platform's manifest
 * @param index digest of the multi-platform index that named it, if any
 * @param configDigest digest of the image configuration
 * @param layers bottom first; not empty
 * @param diffIds digests of the uncompressed layers, as many as layers
 * @param chainIds chain IDs of every prefix, as many as layers
 * @param config of the image
 */
public record ResolvedImage(
        ImageLocation reference,
        Platform platform,
        Digest manifest,
        Optional<Digest> index,
        Digest configDigest,
        List<LayerDescriptor> layers,
        List<Digest> diffIds,
        List<ChainId> chainIds,
        ImageConfig config) {
    /** Copies the lists and checks that they are of one length. */
    public ResolvedImage {
        layers = List.copyOf(layers);
        diffIds = List.copyOf(diffIds);
        chainIds = List.copyOf(chainIds);
        if (layers.isEmpty() || layers.size() != diffIds.size() || layers.size() != chainIds.size()) {
            throw new IllegalArgumentException(
                    "layers, diff IDs and chain IDs differ in number: " + layers.size() + ", " + diffIds.size());
        }
    }

    /** The chain ID of the whole image. */
    public ChainId topChain() {
        return chainIds.getLast();
    }

    /** Sum of the layer blobs in bytes. */
    public long compressedSize() {
        return layers.stream().mapToLong(LayerDescriptor::size).sum();
    }
}
