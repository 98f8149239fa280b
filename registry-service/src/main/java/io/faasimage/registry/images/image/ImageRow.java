package io.faasimage.registry.images.image;

import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.util.Optional;

/**
 * An image as the database has it.
 *
 * @param digest of the manifest
 * @param name reference of its first registration
 * @param state how far it is
 * @param compressedSize of its layers, bytes
 * @param topChain chain ID of the whole image
 * @param plan its current plan
 * @param error of its last failed job
 * @param created when it was registered
 */
public record ImageRow(
        Digest digest,
        String name,
        ImageState state,
        long compressedSize,
        ChainId topChain,
        Optional<Digest> plan,
        Optional<String> error,
        Instant created) {}
