package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import java.util.List;

/**
 * The result of a refactoring. The files lie in the output directory; the caller moves or registers them.
 *
 * @param plan of the image
 * @param planDigest SHA-256 of its canonical bytes
 * @param metadataImages one per distinct digest among the plan's layers, bottom first; none of those that were held
 * @param packs that were written; none when everything was stored already
 * @param locations of the objects in these packs; objects that the index held are not in it
 * @param layers indexes of the layers that were read; none of those that were known
 * @param report counts, bytes and times
 */
public record RefactorResult(
        Plan plan,
        Digest planDigest,
        List<MetadataImage> metadataImages,
        List<PackFile> packs,
        List<ObjectLocation> locations,
        List<LayerFile> layers,
        RefactorReport report) {
    /** Copies the lists. */
    public RefactorResult {
        metadataImages = List.copyOf(metadataImages);
        packs = List.copyOf(packs);
        locations = List.copyOf(locations);
        layers = List.copyOf(layers);
    }
}
