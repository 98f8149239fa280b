package io.faasimage.registry.images.job;

import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.registry.images.feedback.Feedback;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.job.JobClaims.Taken;
import io.faasimage.registry.images.prediction.PredictionReport;
import io.faasimage.registry.images.profile.ProfileStore;
import io.faasimage.registry.store.plan.PlanStatements;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.plan.PredictionTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The publication of a job's results: first every file is synced and gets its name, then one transaction adds objects,
 * metadata images and plan and ends the job. A kill before the transaction leaves files that nothing refers to and that
 * garbage collection removes. Thread-safe; uploads run side by side, transactions of this service one after the other.
 */
@Component
class Publication {
    /** So often other jobs may store objects of this one between its look at them and its transaction. */
    private static final int ATTEMPTS = 5;

    private final ResultFiles files;
    private final Feedback feedback;
    private final PlanTable plans;
    private final PlanStatements statements;
    private final PredictionTable predictions;
    private final ProfileStore profiles;
    private final ImageTable images;
    private final JobTable jobs;
    private final JobClaims claims;
    private final TransactionOperations transaction;
    /** The embedded database gives up after two seconds of waiting for rows that another transaction has changed. */
    private final ReentrantLock committing = new ReentrantLock();

    Publication(
            ResultFiles files,
            Feedback feedback,
            PlanTable plans,
            PlanStatements statements,
            PredictionTable predictions,
            ProfileStore profiles,
            ImageTable images,
            JobTable jobs,
            JobClaims claims,
            TransactionOperations transaction) {
        this.files = files;
        this.feedback = feedback;
        this.plans = plans;
        this.statements = statements;
        this.predictions = predictions;
        this.profiles = profiles;
        this.images = images;
        this.jobs = jobs;
        this.claims = claims;
        this.transaction = transaction;
    }

    /**
     * Publishes the result of a running job, its plan with what starts missed, and ends the job.
     *
     * @return false when the job or its image was removed meanwhile: nothing is visible then
     * @throws IOException when a file cannot be published, or the key that signs cannot be used
     * @throws OptimisticLockingFailureException when the plan refers to something that is neither in the result nor
     *     stored, or was removed as garbage since the job found it
     */
    boolean publish(Taken job, RefactorResult made) throws IOException {
        ResultFiles.Published published = files.publish(made);
        for (int attempt = 1; ; attempt++) {
            Map<Digest, ObjectFrames> packed = new HashMap<>();
            made.locations().forEach(at -> packed.put(at.digest(), at.frames()));
            Map<Digest, ObjectFrames> stored = files.frames(packed.keySet());
            packed.putAll(stored);
            RefactorResult result = made.withPlan(feedback.applied(withFrames(made.plan(), packed), packed));
            Optional<SignedDocument> statement = statements.sign(result.planDigest(), result.plan());
            files.write(result.planDigest(), result.plan());
            committing.lock();
            try {
                return Boolean.TRUE.equals(
                        transaction.execute(_ -> commit(job, result, published, stored.keySet(), statement)));
            } catch (OptimisticLockingFailureException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            } finally {
                committing.unlock();
            }
        }
    }

    /** The plan with the frames in which its objects are stored: another job may have compressed one otherwise. */
    private static Plan withFrames(Plan plan, Map<Digest, ObjectFrames> frames) {
        List<PrefetchObject> prefetch = new ArrayList<>();
        for (int i = 0; i < plan.startupCount(); i++) {
            PrefetchObject made = plan.prefetch().get(i);
            prefetch.add(new PrefetchObject(
                    frames.getOrDefault(plan.objects().get(i).digest(), made.frames()), made.read()));
        }
        return new Plan(plan.image(), plan.trace(), plan.layers(), plan.libraries(), plan.objects(), prefetch);
    }

    /**
     * Ends a running job that makes no plan, because too little is known of its image's starts.
     *
     * @return false when the job or its image was removed meanwhile
     */
    boolean withoutPlan(Taken job) {
        Digest image = Digest.parse(job.job().image());
        return Boolean.TRUE.equals(transaction.execute(status -> {
            if (!images.lock(image) || !claims.done(job)) {
                return false;
            }
            images.unpredicted(image, jobs.isQueued(image));
            return true;
        }));
    }

    private boolean commit(
            Taken job,
            RefactorResult result,
            ResultFiles.Published published,
            Set<Digest> stored,
            Optional<SignedDocument> statement) {
        Digest image = Digest.parse(job.job().image());
        if (!images.lock(image) || !claims.done(job)) {
            return false;
        }
        files.add(published, stored);
        if (!result.reads().isEmpty()) {
            images.repository(image).ifPresent(repository -> profiles.put(repository, result.reads()));
        }
        result.prediction()
                .map(prediction -> PredictionReport.of(result.planDigest(), prediction))
                .ifPresent(report -> predictions.add(result.plan().trace(), image, report));
        plans.add(result.planDigest(), result.plan(), result.report().runtime(), statement);
        plans.prune(image, PlanTable.KEPT);
        images.planned(
                image,
                plans.servedOf(image).orElse(result.planDigest()),
                jobs.isQueued(image) ? ImageState.REFACTORING : ImageState.PLANNED);
        return true;
    }
}
