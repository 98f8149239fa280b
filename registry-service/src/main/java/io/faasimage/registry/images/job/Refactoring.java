package io.faasimage.registry.images.job;

import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.prediction.StartEvidence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The work of a job: making plan, packs and metadata images of one image. Must be thread-safe. */
@FunctionalInterface
public interface Refactoring {
    /**
     * Refactors an image.
     *
     * @param image to be refactored
     * @param evidence the evidence of its starts
     * @param known the objects that are stored already
     * @param work an empty directory of this job alone, which is removed after it
     * @param progress receives the progress
     * @return the result, whose files lie in {@code work}; empty when too little is known for a plan
     * @throws IOException when the image or the disk does not allow it
     */
    Optional<RefactorResult> run(
            ImageRow image, StartEvidence evidence, Holdings known, Path work, ProgressListener progress)
            throws IOException;
}
