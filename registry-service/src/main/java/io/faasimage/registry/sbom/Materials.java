package io.faasimage.registry.sbom;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.classify.Inventory;
import io.faasimage.registry.image.ImageRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The content of a bill of materials.
 *
 * @param image that it is of
 * @param plan whose metadata image was read
 * @param trace of the image's starts; empty before the first
 * @param traced files that these starts read
 * @param inventory of the image
 * @param reads of the packages, in the inventory's order
 * @param made when it was written
 */
record Materials(
        ImageRow image,
        Digest plan,
        Optional<Trace> trace,
        int traced,
        Inventory inventory,
        List<PackageReads> reads,
        Instant made) {
    Materials {
        reads = List.copyOf(reads);
        if (reads.size() != inventory.packages().size()) {
            throw new IllegalArgumentException("packages and reads differ in number");
        }
    }
}
