package io.faasimage.registry.job;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.span.Spans;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.trace.Trace;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorReport;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.BlobsDownException;
import io.faasimage.registry.blob.WorkFiles;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.database.DatabaseFailures;
import io.faasimage.registry.feedback.Feedback;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.job.JobTable.Taken;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredUse;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.replica.ReplicaLost;
import io.faasimage.registry.trace.TraceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Runs the queued jobs on a few threads. A job that was running when its service was killed is run again from the
 * beginning, by whichever service is there; one that kills the service over and over is given up. One that fails for a
 * reason that may pass is tried again after growing pauses, while its worker does others.
 */
@Component
class JobWorkers implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(JobWorkers.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration STOP = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final String REMOVED = "the image was removed while the job ran";

    private final JobService queue;
    private final JobTable jobs;
    private final ImageTable images;
    private final TraceStore traces;
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final WorkFiles files;
    private final StoredUse stored;
    private final Refactoring refactoring;
    private final Publication publication;
    private final Feedback feedback;
    private final JobSignal signal;
    private final RegistrySettings settings;
    private final TransactionOperations transaction;
    private final Spans spans;
    private final Clock clock;
    private final List<Thread> threads = new ArrayList<>();
    /** The names of the runs that a thread begins or is in. */
    private final Set<String> active = ConcurrentHashMap.newKeySet();
    /** The names of runs whose end the database did not take. */
    private final Set<String> unfinished = ConcurrentHashMap.newKeySet();
    /** Jobs that the store of blobs or the database stopped since one went through. */
    private final AtomicInteger outage = new AtomicInteger();

    private volatile boolean running;

    JobWorkers(
            JobService queue,
            JobTable jobs,
            ImageTable images,
            TraceStore traces,
            ObjectTable objects,
            BlobStore blobs,
            WorkFiles files,
            StoredUse stored,
            Refactoring refactoring,
            Publication publication,
            Feedback feedback,
            JobSignal signal,
            RegistrySettings settings,
            TransactionOperations transaction,
            Spans spans,
            Clock clock) {
        this.queue = queue;
        this.jobs = jobs;
        this.images = images;
        this.traces = traces;
        this.objects = objects;
        this.blobs = blobs;
        this.files = files;
        this.stored = stored;
        this.refactoring = refactoring;
        this.publication = publication;
        this.feedback = feedback;
        this.signal = signal;
        this.settings = settings;
        this.transaction = transaction;
        this.spans = spans;
        this.clock = clock;
    }

    @Override
    public synchronized void start() {
        recover();
        running = true;
        for (int i = 0; i < settings.workers(); i++) {
            threads.add(Thread.ofPlatform().name("refactor-" + i).start(this::work));
        }
    }

    /**
     * Also takes back what is marked as run here and is not: what was claimed, or whose end was to be written, when the
     * database failed. What runs is looked up after the rows were read, as it is in the set before it has a row.
     */
    private void recover() {
        jobs.orphanedOrOwn().stream().filter(job -> !active.contains(job.run())).forEach(this::recover);
    }

    private void recover(Taken job) {
        if (unfinished.contains(job.run())) {
            jobs.release(job, "starts again: the database was away while it ran");
            unfinished.remove(job.run());
        } else if (jobs.attempts(job.id()) >= settings.jobAttempts()) {
            fail(
                    job,
                    "the service died " + settings.jobAttempts() + " times while it ran this job;"
                            + " its log may say why, POST /v1/images/{digest}/refactor tries again",
                    false);
        } else {
            jobs.requeue(job);
            LOG.info(
                    "job {} of image {} starts again: the service died while it ran",
                    job.id(),
                    job.job().image());
        }
    }

    private void work() {
        while (running) {
            try {
                recover();
                queue.queueFailed();
                if (!runOne()) {
                    signal.await(poll());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("a worker failed, and continues", e);
                pause();
            }
        }
    }

    /** False when there is no job to run. */
    private boolean runOne() {
        String run = UUID.randomUUID().toString();
        active.add(run);
        try {
            Optional<Taken> claimed = jobs.claim(run);
            claimed.ifPresent(this::run);
            return claimed.isPresent();
        } catch (RuntimeException e) {
            if (DatabaseFailures.isTransient(e)) {
                unfinished.add(run);
            }
            throw e;
        } finally {
            active.remove(run);
        }
    }

    /** Its jobs are free. */
    @EventListener
    void lost(ReplicaLost lost) {
        signal.wake();
    }

    private Duration poll() {
        return settings.jobRetryPause().compareTo(POLL) < 0 ? settings.jobRetryPause() : POLL;
    }

    private void pause() {
        try {
            signal.await(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Taken taken) {
        JobInfo job = taken.job();
        LOG.info("job {} of image {} starts", job.id(), job.image());
        long start = System.nanoTime();
        try {
            boolean visible = refactor(taken);
            outage.set(0);
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            if (visible) {
                LOG.info("job {} of image {} done in {} ms", job.id(), job.image(), millis);
            } else {
                fail(taken, REMOVED, false);
            }
        } catch (IOException | RuntimeException | Error e) {
            if (!running || !mayPass(e) || !tryAgain(taken, e)) {
                broken(taken, e);
            }
        }
        jobs.prune(settings.keptJobs());
    }

    /** An image registry, a store of blobs or a database that is away or slow. */
    private static boolean mayPass(Throwable failure) {
        return (failure instanceof RefactorException e && e.isTransient())
                || BlobsDownException.causes(failure)
                || DatabaseFailures.isTransient(failure)
                || JobBudget.Exceeded.causes(failure);
    }

    private void broken(Taken taken, Throwable failure) {
        boolean mayPass = mayPass(failure);
        switch (failure) {
            case RefactorException e -> stoppedOrFailed(taken, String.valueOf(e.getMessage()), mayPass);
            case ProblemException e -> stoppedOrFailed(taken, String.valueOf(e.getMessage()), mayPass);
            case BlobsDownException e -> stoppedOrFailed(taken, String.valueOf(e.getMessage()), mayPass);
            case JobBudget.Exceeded e -> stoppedOrFailed(taken, String.valueOf(e.getMessage()), mayPass);
            case IOException e ->
                stoppedOrFailed(
                        taken, "the job could not read or write: " + e + "; is the service's disk full?", mayPass);
            default -> {
                LOG.error("job {} of image {} failed", taken.id(), taken.job().image(), failure);
                stoppedOrFailed(
                        taken, "the service failed in an unexpected way (" + failure + "); see its log", mayPass);
            }
        }
    }

    private boolean refactor(Taken taken) throws IOException {
        JobInfo job = taken.job();
        Optional<ImageRow> image = images.find(Digest.parse(job.image()));
        if (image.isEmpty()) {
            return false;
        }
        Path work = files.newWork(taken.run());
        try (var _ = stored.use();
                JobSpans told = new JobSpans(
                        spans,
                        job,
                        new JobBudget(settings.jobBudget(), System::nanoTime, new JobProgress(jobs, taken)))) {
            return refactor(taken, image.get(), work, told);
        } finally {
            FileTree.remove(work);
        }
    }

    private boolean refactor(Taken taken, ImageRow image, Path work, JobSpans told) throws IOException {
        try {
            Trace trace = traces.find(image.topChain())
                    .orElseThrow(() -> ProblemException.notFound("the image's trace was removed; trace a start again"));
            RefactorResult result = refactoring.run(image, trace, new StoredPacks(objects, blobs), work, told);
            LOG.info("job {} phases: {}", taken.id(), phases(result.report()));
            result.report().warnings().forEach(warning -> LOG.warn("image {}: {}", image.digest(), warning));
            told.publishes();
            boolean visible = publication.publish(taken, withFeedback(result));
            if (!visible) {
                told.failed(REMOVED);
            }
            return visible;
        } catch (IOException | RuntimeException | Error e) {
            told.failed(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private static String phases(RefactorReport report) {
        return Arrays.stream(ProgressListener.Phase.values())
                .filter(phase -> report.phases().containsKey(phase))
                .map(phase -> phase.name().toLowerCase(Locale.ROOT) + " "
                        + report.phases().getOrDefault(phase, Duration.ZERO).toMillis() + " ms")
                .collect(Collectors.joining(", "));
    }

    private RefactorResult withFeedback(RefactorResult result) {
        Plan plan = feedback.applied(result.plan());
        return new RefactorResult(
                plan,
                PlanCodec.digest(plan),
                result.metadataImages(),
                result.packs(),
                result.locations(),
                result.layers(),
                result.report());
    }

    /**
     * A store of blobs or a database that is down is waited for however long it takes: without it nothing goes on
     * anyway, and a job's retries are left for other failures. One that answers and refuses, or is busy, is not waited
     * for longer than these.
     */
    private boolean tryAgain(Taken taken, Throwable failure) {
        JobInfo job = taken.job();
        String reason = storable(String.valueOf(failure.getMessage()));
        Thread.interrupted();
        boolean counts = BlobsDownException.causes(failure)
                ? BlobsDownException.refusalCauses(failure)
                : !DatabaseFailures.isTransient(failure) || DatabaseFailures.isBusy(failure);
        int retries = counts ? jobs.retries(job.id()) : outage.getAndIncrement();
        if (counts && retries >= settings.jobRetries()) {
            return false;
        }
        Duration growing = settings.jobRetryPause().multipliedBy(1L << Math.clamp(retries, 0, 16));
        Duration pause = growing.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : growing;
        Digest image = Digest.parse(job.image());
        transaction.executeWithoutResult(status -> {
            images.lock(image);
            if (jobs.retry(taken, reason, pause, counts)) {
                images.failed(image, reason, ImageState.REFACTORING);
            }
        });
        LOG.warn("job {} of image {} is tried again in {}: {}", job.id(), job.image(), pause, reason);
        return true;
    }

    private void stoppedOrFailed(Taken job, String reason, boolean mayPass) {
        // An interrupt has done its work: what follows has to reach the database.
        Thread.interrupted();
        if (!running) {
            jobs.release(job, "starts again: the service was stopped while it ran");
            LOG.info(
                    "job {} of image {} stopped with the service; it will start again",
                    job.id(),
                    job.job().image());
        } else {
            fail(job, reason, mayPass);
        }
    }

    /** PostgreSQL takes no NUL, and what image registries and images say has what they like. */
    private static String storable(String reason) {
        return reason.replace("\0", "");
    }

    private void fail(Taken taken, String reason, boolean mayPass) {
        JobInfo job = taken.job();
        LOG.warn("job {} of image {} failed: {}", job.id(), job.image(), reason);
        Digest image = Digest.parse(job.image());
        transaction.executeWithoutResult(status -> {
            images.lock(image);
            if (jobs.failed(taken, storable(reason))) {
                boolean queued = jobs.isQueued(image);
                images.failed(image, storable(reason), queued ? ImageState.REFACTORING : ImageState.FAILED);
                if (mayPass && !queued) {
                    images.retryAt(image, clock.instant().plus(settings.jobRetryFailed()));
                }
            }
        });
    }

    @Override
    public synchronized void stop() {
        running = false;
        threads.forEach(Thread::interrupt);
        long end = System.nanoTime() + STOP.toNanos();
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        threads.clear();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
