package io.faasimage.registry.images.job;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.prediction.Predictions;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.platform.replica.DatabaseLocks;
import io.faasimage.registry.store.trace.TraceIntake;
import io.faasimage.registry.store.trace.TraceRow;
import io.faasimage.registry.store.trace.TraceStore;
import io.faasimage.registry.store.trace.TraceTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** The queue of refactor jobs: at most one waits per image, beside a running one. Thread-safe. */
@Service
public class JobService implements TraceIntake {
    private static final Logger LOG = LoggerFactory.getLogger(JobService.class);

    private static final Duration RETRY = Duration.ofSeconds(2);

    private final ImageTable images;
    private final TraceTable traceTable;
    private final TraceStore traces;
    private final Predictions predictions;
    private final JobTable jobs;
    private final JobSignal signal;
    private final AuditLog audit;
    private final TransactionOperations transaction;
    private final DatabaseLocks locks;

    JobService(
            ImageTable images,
            TraceTable traceTable,
            TraceStore traces,
            Predictions predictions,
            JobTable jobs,
            JobSignal signal,
            AuditLog audit,
            TransactionOperations transaction,
            DatabaseLocks locks) {
        this.images = images;
        this.traceTable = traceTable;
        this.traces = traces;
        this.predictions = predictions;
        this.jobs = jobs;
        this.signal = signal;
        this.audit = audit;
        this.transaction = transaction;
        this.locks = locks;
    }

    @Override
    public JobInfo add(Trace trace) {
        JobInfo job = locks.holding(DatabaseLocks.Name.TRACE_FILES, () -> merge(trace));
        signal.wake();
        return job;
    }

    private JobInfo merge(Trace trace) {
        if (images.withTop(trace.chain()).isEmpty()) {
            throw ProblemException.notFound("no registered image has the layers " + trace.chain()
                    + " that the trace is of; register its function first");
        }
        Optional<TraceRow> old = traceTable.find(trace.chain());
        TraceRow merged = traces.merge(trace);
        JobInfo job = locks.inTransaction(DatabaseLocks.Name.TRACES, () -> put(trace.chain(), old, merged));
        LOG.info("accepted a trace of {} with {} files, {} runs in all", trace.chain(), merged.files(), merged.runs());
        return job;
    }

    private JobInfo put(ChainId chain, Optional<TraceRow> old, TraceRow merged) {
        if (!traceTable.find(chain).equals(old)) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    "the state of " + chain + " changed while the trace was merged; send it again",
                    RETRY);
        }
        traceTable.put(chain, merged);
        return queueAll(images.withTop(chain));
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

    /**
     * Runs an addition or removal of an image or a trace as one transaction, while no other runs: either the image sees
     * the trace, or the trace the image.
     */
    public <T> T betweenTraces(Supplier<T> change) {
        T changed = locks.inTransaction(DatabaseLocks.Name.TRACES, change);
        signal.wake();
        return changed;
    }

    /**
     * Queues a job for an image without a plan whose layers were traced already, as another image, or whose first start
     * may be predictable; needs a transaction between traces.
     */
    public void queueIfPlannable(Digest image) {
        Optional<ImageRow> unplanned = images.find(image)
                .filter(row -> row.plan().isEmpty() && row.state() != ImageState.REFACTORING)
                .filter(row -> traceTable.find(row.topChain()).isPresent() || predictions.arePossible(row));
        unplanned.ifPresent(row -> queueAll(List.of(row)));
    }

    /** Queues a job for an image that has a trace, or whose first start may be predictable. */
    public JobInfo refactor(Digest image) {
        ImageRow row = images.find(image)
                .orElseThrow(() -> ProblemException.notFound(
                        "no image " + image + " is registered; GET /v1/images lists the registered ones"));
        if (traceTable.find(row.topChain()).isEmpty() && !predictions.arePossible(row)) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "image " + image + " has no trace yet; start it once on a node, or POST a trace to /v1/traces");
        }
        JobInfo job = transaction.execute(status -> {
            JobInfo queued = queueAll(List.of(row));
            audit.add(AuditAction.IMAGE_REFACTOR, image.toString(), null, Map.of("job", queued.id()));
            return queued;
        });
        signal.wake();
        return job;
    }

    /** Queues a job for each image that failed a while ago for a reason that may have passed. */
    void queueFailed() {
        for (Digest image : images.dueAgain()) {
            transaction.executeWithoutResult(_ -> {
                if (images.lock(image) && images.dueAgain().contains(image)) {
                    images.refactoring(image);
                    jobs.queue(image);
                }
            });
        }
    }

    /** One job. */
    public JobInfo get(String id) {
        return jobs.find(id)
                .orElseThrow(() ->
                        ProblemException.notFound("no job '" + id + "' is known; GET /v1/jobs lists the known ones"));
    }

    /** All jobs, newest first. */
    public List<JobInfo> all() {
        return jobs.all();
    }
}
