package io.faasimage.registry.images.job;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.image.VerifyCommand;
import io.faasimage.registry.images.job.JobClaims.Taken;
import io.faasimage.registry.images.prediction.Predictions;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.database.DatabaseFailures;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.BlobsDownException;
import io.faasimage.registry.store.signing.SigningException;
import io.faasimage.registry.store.trace.TraceTable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The handling of failed jobs: one is retried after a growing pause when the reason may pass, released when the service
 * is being stopped, and else ends with the reason. Thread-safe.
 */
@Component
class JobFailures {
    private static final Logger LOG = LoggerFactory.getLogger(JobFailures.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final JobTable table;
    private final JobClaims jobs;
    private final ImageTable images;
    private final TraceTable traces;
    private final Predictions predictions;
    private final RegistrySettings settings;
    private final TransactionOperations transaction;
    private final Clock clock;
    /** Jobs that the store of blobs or the database stopped since one went through. */
    private final AtomicInteger outage = new AtomicInteger();

    JobFailures(
            JobTable table,
            JobClaims jobs,
            ImageTable images,
            TraceTable traces,
            Predictions predictions,
            RegistrySettings settings,
            TransactionOperations transaction,
            Clock clock) {
        this.table = table;
        this.jobs = jobs;
        this.images = images;
        this.traces = traces;
        this.predictions = predictions;
        this.settings = settings;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** A job went through. */
    void none() {
        outage.set(0);
    }

    /**
     * A job failed.
     *
     * @param stopping whether the service is being stopped, which may be why
     */
    void failed(Taken taken, Throwable failure, boolean stopping) {
        // An interrupt has done its work: the statements that follow have to reach the database.
        Thread.interrupted();
        boolean mayPass = mayPass(failure);
        if (!stopping && mayPass && tryAgain(taken, failure)) {
            return;
        }
        String reason = reason(taken, failure);
        if (stopping) {
            jobs.release(taken, "starts again: the service was stopped while it ran");
            LOG.info(
                    "job {} of image {} stopped with the service; it will start again",
                    taken.id(),
                    taken.job().image());
        } else {
            end(taken, reason, mayPass);
        }
    }

    /** An image registry, a store of blobs, a database, a signing key or a verifier that is away or slow. */
    private static boolean mayPass(Throwable failure) {
        return (failure instanceof RefactorException e && e.isTransient())
                || BlobsDownException.causes(failure)
                || DatabaseFailures.isTransient(failure)
                || failure instanceof SigningException
                || failure instanceof VerifyCommand.NoVerdict;
    }

    private static String reason(Taken taken, Throwable failure) {
        return switch (failure) {
            case RefactorException e -> String.valueOf(e.getMessage());
            case ProblemException e -> String.valueOf(e.getMessage());
            case BlobsDownException e -> String.valueOf(e.getMessage());
            case SigningException e -> String.valueOf(e.getMessage());
            case VerifyCommand.NoVerdict e -> String.valueOf(e.getMessage());
            case JobBudget.Exceeded e -> String.valueOf(e.getMessage());
            case IOException e -> "the job could not read or write: " + e + "; is the service's disk full?";
            default -> {
                LOG.error("job {} of image {} failed", taken.id(), taken.job().image(), failure);
                yield "the service failed in an unexpected way (" + failure + "); see its log";
            }
        };
    }

    /**
     * A store of blobs or a database that is down is waited for however long it takes: without it nothing continues
     * anyway, and a job's retries are left for other failures. One that answers and refuses, or is busy, is not waited
     * for longer than these.
     */
    private boolean tryAgain(Taken taken, Throwable failure) {
        JobInfo job = taken.job();
        String reason = storable(String.valueOf(failure.getMessage()));
        boolean counts = BlobsDownException.causes(failure)
                ? BlobsDownException.refusalCauses(failure)
                : !DatabaseFailures.isTransient(failure) || DatabaseFailures.isBusy(failure);
        int retries = counts ? table.retries(job.id()) : outage.getAndIncrement();
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

    /** PostgreSQL takes no NUL, and texts of image registries and images may have any character. */
    private static String storable(String reason) {
        return reason.replace("\0", "");
    }

    /** Whether the job was to predict a first start: without the plan, that is traced as if it had not been tried. */
    private boolean isPredicted(Digest image) {
        return images.find(image)
                .filter(row -> traces.find(row.topChain()).isEmpty())
                .filter(predictions::arePossible)
                .isPresent();
    }

    /**
     * Ends a job.
     *
     * @param mayPass whether the image is tried again later
     */
    void end(Taken taken, String reason, boolean mayPass) {
        JobInfo job = taken.job();
        LOG.warn("job {} of image {} failed: {}", job.id(), job.image(), reason);
        Digest image = Digest.parse(job.image());
        transaction.executeWithoutResult(status -> {
            images.lock(image);
            if (jobs.failed(taken, storable(reason))) {
                boolean queued = table.isQueued(image);
                if (isPredicted(image)) {
                    images.unpredicted(image, queued);
                    return;
                }
                images.failed(image, storable(reason), queued ? ImageState.REFACTORING : ImageState.FAILED);
                if (mayPass && !queued) {
                    images.retryAt(image, clock.instant().plus(settings.jobRetryFailed()));
                }
            }
        });
    }
}
