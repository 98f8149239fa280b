package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorReport;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.job.JobClaims.Taken;
import io.faasimage.registry.images.prediction.Predictions;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.span.Spans;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;

/**
 * The run of one job, from the trace to the published plan, in a directory of its own and within a budget of time.
 * Thread-safe.
 */
@Component
class JobRunner {
    private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);

    /** Why a job ends whose run returns false. */
    static final String REMOVED = "the image was removed while the job ran";

    /** So many warnings of one job are events. */
    private static final int SHOWN_WARNINGS = 10;

    private final JobClaims jobs;
    private final ImageTable images;
    private final Predictions predictions;
    private final ResultFiles files;
    private final Refactoring refactoring;
    private final Publication publication;
    private final RegistrySettings settings;
    private final Spans spans;

    JobRunner(
            JobClaims jobs,
            ImageTable images,
            Predictions predictions,
            ResultFiles files,
            Refactoring refactoring,
            Publication publication,
            RegistrySettings settings,
            Spans spans) {
        this.jobs = jobs;
        this.images = images;
        this.predictions = predictions;
        this.files = files;
        this.refactoring = refactoring;
        this.publication = publication;
        this.settings = settings;
        this.spans = spans;
    }

    /** Runs a job; false when its image was removed. */
    boolean run(Taken taken) throws IOException {
        JobInfo job = taken.job();
        Optional<ImageRow> image = images.find(Digest.parse(job.image()));
        if (image.isEmpty()) {
            return false;
        }
        Path work = files.newWork(taken.run());
        try (JobBudget budget = new JobBudget(settings.jobBudget(), new JobProgress(jobs, taken));
                JobSpans jobSpans = new JobSpans(spans, job, InstantSource.system(), budget)) {
            return run(taken, image.get(), work, budget, jobSpans);
        } finally {
            FileSystemUtils.deleteRecursively(work);
        }
    }

    private boolean run(Taken taken, ImageRow image, Path work, JobBudget budget, JobSpans jobSpans)
            throws IOException {
        try {
            Optional<RefactorResult> made = refactor(image, work, budget, jobSpans);
            if (made.isEmpty()) {
                LOG.info(
                        "job {}: too little is known of image {} to predict its first start",
                        taken.id(),
                        taken.job().image());
                return publication.withoutPlan(taken);
            }
            RefactorResult result = made.get();
            LOG.info("job {} phases: {}", taken.id(), phases(result.report()));
            report(taken, result.report().warnings());
            jobSpans.publishes();
            boolean visible = publication.publish(taken, result);
            if (!visible) {
                jobSpans.failed(REMOVED);
            }
            return visible;
        } catch (IOException | RuntimeException | Error e) {
            jobSpans.failed(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private Optional<RefactorResult> refactor(ImageRow image, Path work, JobBudget budget, JobSpans jobSpans)
            throws IOException {
        try {
            Optional<RefactorResult> made =
                    refactoring.run(image, predictions.evidence(image), files.stored(), work, jobSpans);
            budget.end();
            return made;
        } catch (IOException | RuntimeException e) {
            budget.check(e);
            throw e;
        }
    }

    /** All of it is in the log; the first of it is shown on the dashboard. */
    private void report(Taken taken, List<String> warnings) {
        warnings.forEach(warning -> LOG.warn("image {}: {}", taken.job().image(), warning));
        warnings.stream().limit(SHOWN_WARNINGS).forEach(warning -> jobs.warns(taken, warning));
    }

    private static String phases(RefactorReport report) {
        return Arrays.stream(ProgressListener.Phase.values())
                .filter(phase -> report.phases().containsKey(phase))
                .map(phase -> phase.name().toLowerCase(Locale.ROOT) + " "
                        + report.phases().getOrDefault(phase, Duration.ZERO).toMillis() + " ms")
                .collect(Collectors.joining(", "));
    }
}
