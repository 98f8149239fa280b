package io.faasimage.registry.job;

import io.faasimage.api.ImageState;
import io.faasimage.api.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.replica.DatabaseLocks;
import io.faasimage.registry.trace.TraceRow;
import io.faasimage.registry.trace.TraceStore;
import io.faasimage.registry.trace.TraceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Queues refactor jobs: at most one waits per image, beside the one that runs. Thread-safe. */
@Service
public class JobService {
    private static final Logger LOG = LoggerFactory.getLogger(JobService.class);

    private final ImageTable images;
    private final TraceTable traceTable;
    private final TraceStore traces;
    private final JobTable jobs;
    private final JobSignal signal;
    private final TransactionOperations transaction;
    private final DatabaseLocks locks;

    JobService(
            ImageTable images,
            TraceTable traceTable,
            TraceStore traces,
            JobTable jobs,
            JobSignal signal,
            TransactionOperations transaction,
            DatabaseLocks locks) {
        this.images = images;
        this.traceTable = traceTable;
        this.traces = traces;
        this.jobs = jobs;
        this.signal = signal;
        this.transaction = transaction;
        this.locks = locks;
    }

    /** Merges a trace with what is known of its image, and queues a job for every image with these layers. */
    public JobInfo addTrace(Trace trace) {
        return locks.holding(DatabaseLocks.Name.TRACES, () -> merge(trace));
    }

    private JobInfo merge(Trace trace) {
        List<ImageRow> traced = images.withTop(trace.chain());
        if (traced.isEmpty()) {
            throw ProblemException.notFound("no registered image has the layers " + trace.chain()
                    + " that the trace is of; register its function first");
        }
        Optional<TraceRow> old = traceTable.find(trace.chain());
        TraceRow merged = traces.merge(trace);
        JobInfo job = transaction.execute(status -> {
            traceTable.put(trace.chain(), merged);
            return queueAll(traced);
        });
        old.filter(row -> !row.digest().equals(merged.digest())).ifPresent(traces::discard);
        LOG.info("trace of {} with {} files taken, {} runs in all", trace.chain(), merged.files(), merged.runs());
        signal.wake();
        return job;
    }

    private JobInfo queueAll(List<ImageRow> traced) {
        List<JobInfo> queued = new ArrayList<>();
        for (ImageRow image : traced) {
            if (images.lock(image.digest())) {
                images.refactoring(image.digest());
                queued.add(jobs.queue(image.digest()));
            }
        }
        if (queued.isEmpty()) {
            throw ProblemException.notFound("the image of the trace was removed meanwhile; register it again");
        }
        return queued.getFirst();
    }

    /** Runs what adds an image, while no trace is taken: either the image sees the trace, or the trace the image. */
    public void betweenTraces(Runnable registration) {
        locks.holding(DatabaseLocks.Name.TRACES, () -> {
            registration.run();
            return true;
        });
        signal.wake();
    }

    /**
     * Queues a job for an image without a plan whose layers were traced already, as another image; needs a transaction
     * between traces.
     */
    public void queueIfTraced(Digest image) {
        Optional<ImageRow> unplanned = images.find(image)
                .filter(row -> row.plan().isEmpty() && row.state() != ImageState.REFACTORING)
                .filter(row -> traceTable.find(row.topChain()).isPresent());
        unplanned.ifPresent(row -> queueAll(List.of(row)));
    }

    /** Queues a job for an image that has a trace. */
    public JobInfo refactor(Digest image) {
        ImageRow row = images.find(image)
                .orElseThrow(() -> ProblemException.notFound(
                        "no image " + image + " is registered; GET /v1/images lists those that are"));
        if (traceTable.find(row.topChain()).isEmpty()) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "image " + image + " has no trace yet; start it once on a node, or POST a trace to /v1/traces");
        }
        JobInfo job = transaction.execute(status -> queueAll(List.of(row)));
        signal.wake();
        return job;
    }

    /** One job. */
    public JobInfo get(String id) {
        return jobs.find(id)
                .orElseThrow(() ->
                        ProblemException.notFound("no job '" + id + "' is known; GET /v1/jobs lists those that are"));
    }

    /** All jobs, newest first. */
    public List<JobInfo> all() {
        return jobs.all();
    }
}
