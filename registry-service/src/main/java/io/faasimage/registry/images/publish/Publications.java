package io.faasimage.registry.images.publish;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.statement.Signer;
import io.faasimage.oci.OciRegistry;
import io.faasimage.refactor.WorkDirectory;
import io.faasimage.refactor.artifact.PlanPublisher;
import io.faasimage.refactor.artifact.PlanPublisher.Published;
import io.faasimage.refactor.image.Platform;
import io.faasimage.registry.images.image.EngineImages;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.image.ImageTable.Planned;
import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.config.PublishSettings;
import io.faasimage.registry.platform.config.StartFailure;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.plan.PlanFiles;
import io.faasimage.registry.store.plan.PlanStatements;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.signing.Signing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The publisher of this service's plans beside their images, for the repositories that the operator names. It looks for
 * plans that it has not published, also those of another replica or of an earlier process: a publication of the same
 * plan changes nothing. One thread.
 */
@Component
class Publications implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Publications.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofMinutes(5);
    private static final int MOST_REMEMBERED = 10_000;

    private final PublishSettings settings;
    private final EngineImages engine;
    private final ImageTable images;
    private final PlanTable plans;
    private final PlanFiles files;
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final Path work;
    private final Clock clock;
    private final PlanStatements statements;
    private final Optional<Signer> signer;
    /** The plan of each image that was published, or failed; for the thread alone. */
    private final Map<Digest, Attempt> attempts = BoundedMap.lastUsed(MOST_REMEMBERED);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("publications").factory());
    private volatile boolean running;

    private record Attempt(Digest plan, boolean isDone, long nanos) {}

    Publications(
            PublishSettings settings,
            Signing signing,
            PlanStatements statements,
            EngineImages engine,
            ImageTable images,
            PlanTable plans,
            PlanFiles files,
            ObjectTable objects,
            BlobStore blobs,
            DataDirectory data,
            Clock clock) {
        this.settings = settings;
        this.engine = engine;
        this.images = images;
        this.plans = plans;
        this.files = files;
        this.objects = objects;
        this.blobs = blobs;
        this.work = data.work();
        this.clock = clock;
        this.statements = statements;
        this.signer = signing.signer();
        if (!settings.publish().isEmpty() && signer.isEmpty()) {
            throw new StartFailure("--faasimage.publish needs a key that signs plans: nodes use no other ones beside"
                    + " images; see --faasimage.signing.key");
        }
    }

    @Override
    public void start() {
        running = true;
        if (!settings.publish().isEmpty()) {
            var _ = thread.scheduleWithFixedDelay(
                    this::publishAll, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void publishAll() {
        try {
            for (Planned planned : images.planned()) {
                if (running && isDue(planned)) {
                    publish(planned);
                }
            }
        } catch (RuntimeException | Error e) {
            // A task that throws is not run again.
            LOG.warn("could not look for plans to publish", e);
        }
    }

    private boolean isDue(Planned planned) {
        @Nullable Attempt last = attempts.get(planned.image());
        return last == null
                || !last.plan().equals(planned.plan())
                || (!last.isDone() && System.nanoTime() - last.nanos() > RETRY.toNanos());
    }

    private void publish(Planned planned) {
        boolean isDone = false;
        try {
            for (String name : images.references(planned.image())) {
                Optional<ImageReference> reference = reference(name);
                if (reference.isPresent()) {
                    publish(reference.get().at(planned.image()), planned.plan());
                }
            }
            isDone = true;
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "plan {} of image {} is not beside the image; next attempt in {} s: {}",
                    planned.plan(),
                    planned.image(),
                    RETRY.toSeconds(),
                    e.toString());
        }
        attempts.put(planned.image(), new Attempt(planned.plan(), isDone, System.nanoTime()));
    }

    /** The image in its registry, if its plans are to be published there. */
    private Optional<ImageReference> reference(String name) {
        try {
            ImageReference reference = ImageReference.parse(name);
            return settings.covers(reference.registry() + "/" + reference.repository())
                    ? Optional.of(reference)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            // A file of this machine.
            return Optional.empty();
        }
    }

    private void publish(ImageReference image, Digest digest) throws IOException {
        Plan plan = files.plan(digest);
        // Whoever writes the database must not have a plan signed.
        if (!statements.isTrusted(digest, plan)) {
            throw new IOException(
                    "it has no signature of this service;" + " POST /v1/images/{digest}/refactor makes it again");
        }
        StoredPlan stored = new StoredPlan(blobs, objects, plan);
        try (WorkDirectory directory = WorkDirectory.create(work);
                OciRegistry registry = new OciRegistry(engine.options().registry())) {
            Published published = new PlanPublisher(registry, signer.orElseThrow())
                    .publish(
                            new PlanPublisher.Publication(
                                    image,
                                    plan,
                                    Platform.host().toString(),
                                    plans.isPredicted(digest),
                                    stored.metadata(directory.path())),
                            stored,
                            directory.path(),
                            clock.instant());
            if (published.isNew()) {
                LOG.info(
                        "plan {} is beside image {}: artifact {}, {} bytes uploaded",
                        digest,
                        image,
                        published.artifact(),
                        published.sentBytes());
            }
        }
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
