package io.faasimage.registry.images.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.Optional;

/**
 * An image as its own manifest and configuration describe it.
 *
 * @param digest of the manifest
 * @param reference that it was found by
 * @param chains chain IDs of every prefix of its layers, bottom first; not empty
 * @param layers digests of its layers as stored
 * @param shown how many of its lowest layers its registry was seen to have, byte for byte
 * @param compressedSize sum of its layers as pulled, bytes
 * @param index digest of the index that named the manifest, if one did
 */
public record RegisteredImage(
        Digest digest,
        String reference,
        List<ChainId> chains,
        List<Digest> layers,
        int shown,
        long compressedSize,
        Optional<Digest> index) {
    /** Copies the lists and checks that there is one. */
    public RegisteredImage {
        chains = List.copyOf(chains);
        layers = List.copyOf(layers);
        if (chains.isEmpty()) {
            throw new IllegalArgumentException("an image has at least one layer");
        }
    }

    /** The reference without tag and digest. */
    String repository() {
        String untied = reference.replaceFirst("@sha256:[0-9a-f]*$", "");
        return untied.replaceFirst(":[^/:@]*$", "");
    }

    /** The chain ID of the whole image. */
    public ChainId topChain() {
        return chains.getLast();
    }
}
