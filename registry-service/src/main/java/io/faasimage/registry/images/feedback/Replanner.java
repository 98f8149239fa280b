package io.faasimage.registry.images.feedback;

import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanLayouts;
import io.faasimage.registry.store.plan.PlanStatements;
import io.faasimage.registry.store.plan.PlanTable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The maker of new plans for images whose starts had misses, from the present plan: nothing is read or packed again. An
 * image gets at most one such plan per interval; misses that arrive meanwhile go into the next. One thread; the
 * requests are thread-safe. The pending work of a killed service is done after the next start that misses something, or
 * with the next refactoring.
 */
@Component
class Replanner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replanner.class);

    private final ImageTable images;
    private final PlanTable plans;
    private final PlanStatements statements;
    private final PlanLayouts layouts;
    private final Feedback feedback;
    private final BlobStore blobs;
    private final BlobTable known;
    private final TransactionOperations transaction;
    private final Duration interval;
    private final Set<Digest> waiting = new HashSet<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("replanner").factory());

    Replanner(
            ImageTable images,
            PlanTable plans,
            PlanStatements statements,
            PlanLayouts layouts,
            Feedback feedback,
            BlobStore blobs,
            BlobTable known,
            TransactionOperations transaction,
            RegistrySettings settings) {
        this.images = images;
        this.plans = plans;
        this.statements = statements;
        this.layouts = layouts;
        this.feedback = feedback;
        this.blobs = blobs;
        this.known = known;
        this.transaction = transaction;
        this.interval = settings.feedback().replanInterval();
    }

    /** Requests a new plan of an image; it is there after the interval. */
    synchronized void request(Digest image) {
        if (waiting.add(image)) {
            ScheduledFuture<?> _ = thread.schedule(() -> run(image), interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void run(Digest image) {
        synchronized (this) {
            waiting.remove(image);
        }
        try {
            replan(image);
        } catch (IOException | RuntimeException e) {
            LOG.warn("could not extend the plan of image {}; the next start retries", image, e);
        }
    }

    private void replan(Digest image) throws IOException {
        Optional<Digest> current = plans.newestOf(image);
        Optional<PlanLayout> layout = current.flatMap(layouts::find);
        if (layout.isEmpty()) {
            return;
        }
        Plan old = layout.get().plan();
        Plan extended = feedback.applied(old, Map.of());
        if (extended.startupCount() == old.startupCount()) {
            return;
        }
        if (!statements.isTrusted(layout.get().digest(), old)) {
            LOG.warn(
                    "plan {} of image {} is not extended: it has no signature of this service;"
                            + " POST /v1/images/{digest}/refactor makes it again",
                    layout.get().digest(),
                    image);
            return;
        }
        byte[] encoded = PlanCodec.encode(extended);
        Digest digest = Digest.of(encoded);
        Optional<SignedDocument> statement = statements.sign(digest, extended);
        known.protect(List.of(Blob.plan(digest)));
        blobs.write(Blob.plan(digest), encoded);
        boolean published = Boolean.TRUE.equals(
                transaction.execute(status -> publish(image, layout.get().digest(), digest, extended, statement)));
        if (published) {
            LOG.info(
                    "plan of image {} extended by {} missed objects: {}",
                    image,
                    extended.startupCount() - old.startupCount(),
                    digest);
        }
    }

    /** False when the image was refactored or removed meanwhile: a refactoring has taken the misses in itself. */
    private boolean publish(Digest image, Digest base, Digest digest, Plan plan, Optional<SignedDocument> statement) {
        if (!images.lock(image)) {
            return false;
        }
        Optional<ImageRow> row = images.find(image);
        if (plans.newestOf(image).filter(base::equals).isEmpty()) {
            return false;
        }
        plans.add(digest, plan, plans.runtime(base), statement);
        plans.prune(image, PlanTable.KEPT);
        images.planned(
                image,
                plans.servedOf(image).orElse(digest),
                row.map(ImageRow::state).orElse(ImageState.PLANNED));
        return true;
    }

    /** Drops the waiting requests. */
    @Override
    public void close() throws InterruptedException {
        thread.shutdownNow();
        if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
            LOG.warn("a plan is still being extended while the service stops");
        }
    }
}
