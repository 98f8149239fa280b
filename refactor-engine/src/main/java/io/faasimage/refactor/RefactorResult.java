package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.refactor.predict.LibraryReads;
import io.faasimage.refactor.predict.Prediction;
import java.util.List;
import java.util.Optional;

/**
 * The result of a refactoring. The files lie in the output directory; the caller moves or registers them.
 *
 * @param plan of the image
 * @param planDigest SHA-256 of its canonical bytes
 * @param metadataImages one per distinct digest among the plan's layers, bottom first; none of those that were held
 * @param packs that were written; none when everything was stored already
 * @param locations of the objects in these packs; objects that the index held are not in it
 * @param layers indexes of the layers that were read; none of those that were known
 * @param prediction that the prefetch list is from; empty when it is from a trace
 * @param reads the files of each library and of the runtime that the trace names; empty of a prediction
 * @param report counts, bytes and times
 */
public record RefactorResult(
        Plan plan,
        Digest planDigest,
        List<MetadataImage> metadataImages,
        List<PackFile> packs,
        List<ObjectLocation> locations,
        List<LayerFile> layers,
        Optional<Prediction> prediction,
        List<LibraryReads> reads,
        RefactorReport report) {
    public RefactorResult {
        metadataImages = List.copyOf(metadataImages);
        packs = List.copyOf(packs);
        locations = List.copyOf(locations);
        layers = List.copyOf(layers);
        reads = List.copyOf(reads);
    }

    /** The same result with another plan of the image. */
    public RefactorResult withPlan(Plan other) {
        return new RefactorResult(
                other, PlanCodec.digest(other), metadataImages, packs, locations, layers, prediction, reads, report);
    }
}
