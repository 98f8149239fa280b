package io.faasimage.registry.images.publish;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.oci.OciRegistry;
import io.faasimage.refactor.WorkDirectory;
import io.faasimage.refactor.artifact.PlanPublisher;
import io.faasimage.refactor.artifact.PlanPublisher.Published;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The publisher of this service's plans beside their images, for the repositories that the operator names. It looks for
 * plans that are not there, also those of an earlier process. Replicas that publish the same plan at the same time make
 * the same artifact. One thread.
 */
@Component
class Publications implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Publications.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final Duration LAST_RETRY = Duration.ofHours(6);

    private final PublishSettings settings;
    private final EngineImages engine;
    private final ImageTable images;
    private final PlanTable plans;
    private final PlanFiles files;
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final Path work;
    private final PlanStatements statements;
    private final Optional<VerifyingKeys> keys;
    /** The plan of each image that was published, or failed; for the thread alone. */
    private final Map<Digest, Attempt> attempts = new HashMap<>();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("publications").factory());
    private volatile boolean running;

    /** The last attempt to publish a plan, and how many have failed one after the other. */
    private record Attempt(Digest plan, int failures, long nanos) {}

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
            DataDirectory data) {
        this.settings = settings;
        this.engine = engine;
        this.images = images;
        this.plans = plans;
        this.files = files;
        this.objects = objects;
        this.blobs = blobs;
        this.work = data.work();
        this.statements = statements;
        this.keys = signing.trusted();
        if (!settings.publish().isEmpty() && keys.isEmpty()) {
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
            List<Planned> covered = images.planned().stream()
                    .filter(planned -> !references(planned.image()).isEmpty())
                    .toList();
            attempts.keySet().retainAll(covered.stream().map(Planned::image).collect(Collectors.toSet()));
            for (Planned planned : covered) {
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
                || (last.failures() > 0
                        && System.nanoTime() - last.nanos() > pause(last).toNanos());
    }

    private static Duration pause(Attempt last) {
        Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(last.failures() - 1, 10));
        return pause.compareTo(LAST_RETRY) < 0 ? pause : LAST_RETRY;
    }

    private void publish(Planned planned) {
        @Nullable Attempt last = attempts.get(planned.image());
        int failures = last != null && last.plan().equals(planned.plan()) ? last.failures() : 0;
        boolean hasFailed = false;
        for (ImageReference reference : references(planned.image())) {
            try {
                publish(reference.at(planned.image()), planned.plan());
            } catch (IOException | RuntimeException e) {
                hasFailed = true;
                LOG.warn("plan {} is not beside image {}: {}", planned.plan(), reference, e.toString());
            }
        }
        attempts.put(planned.image(), new Attempt(planned.plan(), hasFailed ? failures + 1 : 0, System.nanoTime()));
    }

    /** The repositories of an image in which its plans are to be published. */
    private List<ImageReference> references(Digest image) {
        Map<String, ImageReference> repositories = new LinkedHashMap<>();
        images.references(image).stream()
                .flatMap(name -> reference(name).stream())
                .forEach(reference -> repositories.putIfAbsent(repository(reference), reference));
        repositories.keySet().removeIf(repository -> !settings.covers(repository));
        return List.copyOf(repositories.values());
    }

    private static String repository(ImageReference reference) {
        return reference.registry() + "/" + reference.repository();
    }

    /** Empty for a file of this machine. */
    private static Optional<ImageReference> reference(String name) {
        try {
            return Optional.of(ImageReference.parse(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void publish(ImageReference image, Digest digest) throws IOException {
        Plan plan = files.plan(digest);
        Optional<SignedDocument> statement = statements.find(digest);
        // Nodes verify it; what somebody else wrote into the database is not even sent there.
        if (statement.isEmpty() || !statements.isTrusted(digest, plan)) {
            throw new IOException(
                    "it has no signature of this service;" + " POST /v1/images/{digest}/refactor makes it again");
        }
        StoredPlan stored = new StoredPlan(blobs, objects, plan);
        try (WorkDirectory directory = WorkDirectory.create(work);
                OciRegistry registry = new OciRegistry(engine.options().registry())) {
            PlanPublisher publisher = new PlanPublisher(registry, keys.orElseThrow());
            if (publisher.isBeside(image, digest)) {
                return;
            }
            Published published = publisher.publish(
                    new PlanPublisher.Publication(
                            image, plan, statement.get(), plans.isPredicted(digest), stored.metadata(directory.path())),
                    stored,
                    directory.path());
            LOG.info(
                    "plan {} is beside image {}: artifact {}, {} bytes uploaded",
                    digest,
                    image,
                    published.artifact(),
                    published.sentBytes());
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
