package io.faasimage.builder;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import java.util.List;

/**
 * A built image, pushed.
 *
 * @param image where it is
 * @param manifest its digest
 * @param layers what the image is made of, bottom first
 */
public record BuildResult(ImageReference image, Digest manifest, List<Layer> layers) {
    /**
     * One layer.
     *
     * @param purpose {@code runtime}, {@code server}, {@code libraries}, {@code code} or {@code watchdog}
     * @param digest of the blob
     * @param size of the blob in bytes
     */
    public record Layer(String purpose, Digest digest, long size) {}

    /** Copies the list. */
    public BuildResult {
        layers = List.copyOf(layers);
    }
}
