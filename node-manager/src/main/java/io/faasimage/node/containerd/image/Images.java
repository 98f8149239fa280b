package io.faasimage.node.containerd.image;

import io.faasimage.api.control.node.ContentOutcome;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.lazy.PlannedImages.Refreshed;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.oci.OciRegistry;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pulls of images into the node's containerd: by their plan if there is one, else layer by layer, on every version of
 * containerd. Thread-safe; blocking.
 */
public final class Images {
    private static final String TOPIC = "image";
    private static final long PROGRESS_MILLIS = 200;
    private static final int LONGEST_PULL_SECONDS = 600;

    private final OciRegistry registry;
    private final PlannedImages plans;
    private final String snapshotter;
    private final ImageSources sources;
    private final ImageImport imports;
    private final CataloguedImages catalogued;
    private final Events events;

    /**
     * Pulls into {@code containerd}.
     *
     * @param sources learns how images are named
     * @param snapshotter the name under which containerd knows this node's snapshotter
     */
    public Images(
            OciRegistry registry,
            ContainerdChannel containerd,
            PlannedImages plans,
            ImageSources sources,
            String snapshotter,
            Events events) {
        this.registry = registry;
        this.plans = plans;
        this.sources = sources;
        this.snapshotter = snapshotter;
        this.imports = new ImageImport(registry, containerd, snapshotter);
        this.catalogued = new CataloguedImages(registry, containerd, snapshotter, imports);
        this.events = events;
    }

    /** Those that the catalogue keeps in containerd. */
    public CataloguedImages catalogued() {
        return catalogued;
    }

    /** The name under which containerd knows this node's snapshotter. */
    public String snapshotter() {
        return snapshotter;
    }

    /** The image's documents at its OCI registry. */
    public ImageDocuments resolve(ImageReference reference) throws IOException {
        return ImageDocuments.of(registry, reference);
    }

    /**
     * Begins the pull of a planned image's prefetch list, unless it is present. Makes no call to containerd; requests
     * the newest plan from the service first, in bounded time.
     *
     * @param top chain ID of the whole image
     */
    public Refreshed warm(ChainId top) {
        Refreshed plan = plans.refresh(top, Optional.empty());
        plan.plan().filter(p -> p.top().chainId().equals(top)).ifPresent(plans::prefetch);
        return plan;
    }

    /**
     * Pulls an image.
     *
     * @param wait whether to return only when the whole prefetch list is here; otherwise when containers may start
     * @throws IOException when the image cannot be pulled, or containerd refuses it
     */
    public PullOutcome pull(ImageReference reference, String namespace, boolean wait, Consumer<TaskProgress> progress)
            throws IOException {
        Stopwatch watch = new Stopwatch();
        progress.accept(TaskProgress.resolve(reference.toString()));
        ImageDocuments image = ImageDocuments.of(registry, reference);
        long resolve = watch.lap();
        progress.accept(TaskProgress.plan(image.top().toString()));
        sources.note(image.manifest().descriptor().digest(), reference.toString());
        Refreshed plan = plans.refresh(
                image.top(), Optional.of(image.manifest().descriptor().digest()));
        Optional<Pull> objects =
                plan.plan().filter(p -> p.top().chainId().equals(image.top())).flatMap(plans::prefetch);
        long planned = watch.lap();
        ImageImport.Fetched fetched = imports.image(reference, image, namespace, progress);
        long snapshots = watch.lap();
        @Nullable
        PullReport report =
                objects.isPresent() && (wait || plans.startsComplete(plan)) ? await(objects.get(), progress) : null;
        if (wait && objects.isPresent() && report == null) {
            throw new IOException("the prefetch list of " + reference + " is not complete after " + LONGEST_PULL_SECONDS
                    + " s; its pull continues, see `faasimage node status`");
        }
        PullOutcome outcome = new PullOutcome(
                reference.toString(),
                image.root().descriptor().digest().toString(),
                image.top().toString(),
                namespace,
                way(plan, fetched),
                fetched.layers() == 0 ? null : reason(plan),
                image.layers().size(),
                image.layers().size() - fetched.layers(),
                image.layerBytes(),
                documentBytes(image) + plan.wireBytes() + fetched.bytes() + (report == null ? 0 : report.wireBytes()),
                report == null ? 0 : report.objects(),
                report == null ? 0 : report.wireBytes(),
                report == null ? 0 : report.missing(),
                resolve,
                planned,
                snapshots,
                report == null ? 0 : report.took().toMillis(),
                watch.total());
        events.info(
                TOPIC,
                "pulled " + outcome.image() + " (" + outcome.way() + ") in " + outcome.totalMillis() + " ms, "
                        + outcome.bytesMoved() + " bytes moved");
        return outcome;
    }

    /**
     * Fetches the layers of an image into containerd's content store, where a pull by its plan leaves them out: export,
     * push and conversion read them there. containerd keeps them as long as the image, which must be there.
     *
     * @throws IOException when a layer cannot be fetched, or does not match the manifest
     */
    public ContentOutcome content(ImageReference reference, String namespace, Consumer<TaskProgress> progress)
            throws IOException {
        ImageDocuments image = ImageDocuments.of(registry, reference);
        ImageImport.Fetched fetched = imports.content(reference, image, namespace, progress);
        events.info(
                TOPIC, "fetched " + fetched.layers() + " layers of " + reference + " into containerd's content store");
        return new ContentOutcome(reference.toString(), image.layers().size(), fetched.layers(), fetched.bytes());
    }

    private static String way(Refreshed plan, ImageImport.Fetched fetched) {
        if (fetched.layers() > 0) {
            return "ordinary";
        }
        return plan.plan().isPresent() ? "planned" : "present";
    }

    private static String reason(Refreshed plan) {
        return plan.plan().isPresent()
                ? "the snapshotter did not accept the plan's layers; see the events in `faasimage node status`"
                : plan.reason();
    }

    private static long documentBytes(ImageDocuments image) {
        return (long) image.root().bytes().length
                + (image.isIndex() ? image.manifest().bytes().length : 0)
                + image.config().bytes().length;
    }

    private static @Nullable PullReport await(Pull pull, Consumer<TaskProgress> progress) throws IOException {
        for (int i = 0; i < LONGEST_PULL_SECONDS * 1000 / PROGRESS_MILLIS; i++) {
            try {
                return pull.done().get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                Pull.Progress now = pull.progress();
                progress.accept(TaskProgress.objects(now.published(), now.objects(), now.wireBytes()));
            } catch (ExecutionException e) {
                throw new IOException("the pull of the prefetch list failed: " + e.getCause(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the prefetch list was pulled", e);
            }
        }
        return null;
    }
}
