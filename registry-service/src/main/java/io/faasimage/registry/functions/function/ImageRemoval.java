package io.faasimage.registry.functions.function;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.job.JobTable;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.trace.TraceTable;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The removal of an image with its plans and trace from the database. Blobs stay, as other images may share them; those
 * that nothing needs for a while are removed as garbage.
 */
@Component
class ImageRemoval {
    private final ImageTable images;
    private final PlanTable plans;
    private final TraceTable traces;
    private final JobTable jobs;

    ImageRemoval(ImageTable images, PlanTable plans, TraceTable traces, JobTable jobs) {
        this.images = images;
        this.plans = plans;
        this.traces = traces;
        this.jobs = jobs;
    }

    /**
     * Removes an image; needs a transaction that holds its lock. A job that runs ends without publishing.
     */
    void remove(Digest image) {
        Optional<ImageRow> row = images.find(image);
        removePlans(image);
        images.remove(image);
        row.map(ImageRow::topChain).filter(top -> images.withTop(top).isEmpty()).ifPresent(traces::remove);
    }

    /** Removes the plans of an image and the jobs that wait to make one; as {@link #remove}. */
    void removePlans(Digest image) {
        plans.prune(image, 0);
        jobs.cancel(image);
    }
}
