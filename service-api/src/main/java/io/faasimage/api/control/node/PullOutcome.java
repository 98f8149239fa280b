package io.faasimage.api.control.node;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of an image pull; times in milliseconds, bytes as on the wire.
 *
 * @param image full name
 * @param digest that the name resolved to
 * @param chain chain ID of the whole image
 * @param namespace of containerd
 * @param way {@code planned}; {@code ordinary} when layers were downloaded; {@code present} when it has no plan and all
 *     its layers were there
 * @param reason why it was pulled layer by layer; null otherwise
 * @param layers of the image
 * @param layersSkipped of these, not downloaded
 * @param layerBytes compressed size of all layers
 * @param bytesMoved documents, plan, metadata image, objects and layers that this pull fetched
 * @param objects fetched by this pull
 * @param objectBytes of these, compressed
 * @param objectsMissing that could not be fetched; they are fetched when they are read
 * @param resolveMillis name, manifest and config at the OCI registry
 * @param planMillis plan and metadata image
 * @param snapshotMillis content and snapshots in containerd, layers included
 * @param objectMillis the prefetch list, beside the snapshots
 * @param totalMillis all
 */
public record PullOutcome(
        String image,
        String digest,
        String chain,
        String namespace,
        String way,
        @Nullable String reason,
        int layers,
        int layersSkipped,
        long layerBytes,
        long bytesMoved,
        int objects,
        long objectBytes,
        int objectsMissing,
        long resolveMillis,
        long planMillis,
        long snapshotMillis,
        long objectMillis,
        long totalMillis) {}
