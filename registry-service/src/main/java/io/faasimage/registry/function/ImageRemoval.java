package io.faasimage.registry.function;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.job.JobTable;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.replica.DatabaseLocks;
import io.faasimage.registry.trace.TraceRow;
import io.faasimage.registry.trace.TraceStore;
import io.faasimage.registry.trace.TraceTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The removal of an image with its plans and trace. Its objects and metadata images stay, as other images may share
 * them; what no plan needs for a while is removed as garbage.
 */
@Component
class ImageRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(ImageRemoval.class);

    private final ImageTable images;
    private final PlanTable plans;
    private final TraceTable traces;
    private final JobTable jobs;
    private final BlobStore blobs;
    private final TraceStore traceFiles;
    private final DatabaseLocks locks;

    ImageRemoval(
            ImageTable images,
            PlanTable plans,
            TraceTable traces,
            JobTable jobs,
            BlobStore blobs,
            TraceStore traceFiles,
            DatabaseLocks locks) {
        this.traceFiles = traceFiles;
        this.locks = locks;
        this.images = images;
        this.plans = plans;
        this.traces = traces;
        this.jobs = jobs;
        this.blobs = blobs;
    }

    /**
     * Removes the rows; needs a transaction that holds the image's lock. A job that runs ends without publishing.
     *
     * @return removes the files; for {@link #removeFiles} after the transaction
     */
    Runnable remove(Digest image) {
        List<Runnable> files = new ArrayList<>();
        Optional<ImageRow> row = images.find(image);
        files.add(removePlans(image));
        images.remove(image);
        if (row.isPresent() && images.withTop(row.get().topChain()).isEmpty()) {
            files.add(removeTrace(row.get().topChain()));
        }
        return () -> files.forEach(Runnable::run);
    }

    /** Removes the plans of an image and the jobs that wait to make one; as {@link #remove}. */
    Runnable removePlans(Digest image) {
        List<Digest> old = plans.prune(image, 0);
        jobs.cancel(image);
        // The image may be back by then, with the same plan.
        return () -> old.stream().filter(plan -> !plans.contains(plan)).forEach(plan -> delete(Blob.plan(plan)));
    }

    /** Removes the trace of a stack of layers; as {@link #remove}. */
    Runnable removeTrace(ChainId chain) {
        Optional<TraceRow> trace = traces.find(chain);
        traces.remove(chain);
        return () -> trace.ifPresent(row -> traceFiles.discard(chain, row));
    }

    /**
     * Removes files. Plans and traces of the same bytes may be back by then, and no trace comes meanwhile. Those in a
     * bucket are left to the search for garbage: it may take long to answer.
     */
    void removeFiles(List<Runnable> files) {
        if (!files.isEmpty() && !blobs.isShared()) {
            locks.holding(DatabaseLocks.Name.TRACE_FILES, () -> {
                files.forEach(Runnable::run);
                return true;
            });
        }
    }

    private void delete(Blob blob) {
        try {
            blobs.delete(blob);
        } catch (IOException e) {
            LOG.warn("could not remove {}: {}", blob, e.toString());
        }
    }
}
