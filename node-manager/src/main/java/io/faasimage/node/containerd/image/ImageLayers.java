package io.faasimage.node.containerd.image;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Contents;
import io.faasimage.node.pull.LayerSource;
import io.faasimage.oci.OciRegistry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The layers of the images whose plans are on this node, streamed from their registries. An image is read once for all
 * readers that wait, and every object of its plan that the node lacks is kept on the way. Each is verified by its
 * digest before it is visible; a layer that lies delays, and nothing else. Thread-safe.
 */
public final class ImageLayers implements LayerSource, AutoCloseable {
    private static final Logger LOG = System.getLogger(ImageLayers.class.getName());
    private static final String TOPIC = "layers";
    private static final int MOST_PLANS = 256;
    /** Images that are read at once. */
    private static final int MOST_READINGS = 4;
    /** After an image could not be read; many files of it may be wanted one after the other. */
    private static final Duration PAUSE = Duration.ofSeconds(10);
    /** Between two looks whether the service is there. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final OciRegistry registry;
    private final Sources sources;
    private final BooleanSupplier isServiceThere;
    private final PlanStore plans;
    private final Contents contents;
    private final Events events;
    /** By plan; guarded by this, as are the next two. */
    private final Map<Digest, Reading> readings = new HashMap<>();
    /** Objects that no layer of their plan's image gives: they would be looked for again and again. */
    private final Map<Digest, Set<Digest>> absent = BoundedMap.lastUsed(MOST_PLANS);

    private final Map<Digest, Failure> failures = BoundedMap.lastUsed(MOST_PLANS);
    private final ExecutorService finding = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("layers-find").daemon().factory());
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST_READINGS,
            MOST_READINGS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("layers-", 0).daemon().factory());

    private record Failure(IOException reason, long nanos) {}

    /** A reading that ended because nobody waited. */
    private static final class UnfinishedException extends IOException {}

    /** Where images are. */
    @FunctionalInterface
    public interface Sources {
        /** References by which a manifest may be had, the likeliest first. */
        List<ImageReference> of(Digest manifest) throws IOException;
    }

    /**
     * Layers at {@code registry}.
     *
     * @param isServiceThere whether the service serves requests, so that a reading ends when nobody waits for it
     * @param plans say which image has an object
     * @param contents where objects go
     */
    public ImageLayers(
            OciRegistry registry,
            Sources sources,
            BooleanSupplier isServiceThere,
            PlanStore plans,
            Contents contents,
            Events events) {
        this.registry = registry;
        this.sources = sources;
        this.isServiceThere = isServiceThere;
        this.plans = plans;
        this.contents = contents;
        this.events = events;
    }

    @Override
    public CompletableFuture<Void> bring(Digest object, boolean asFile) {
        CompletableFuture<Void> arrival = new CompletableFuture<>();
        bring(new Wanted(object, asFile, arrival, Set.of()));
        return arrival;
    }

    /**
     * An object that a reader waits for.
     *
     * @param inVain plans whose images could not give it
     */
    private record Wanted(Digest object, boolean asFile, CompletableFuture<Void> arrival, Set<Digest> inVain) {
        Wanted without(Digest plan) {
            Set<Digest> more = new HashSet<>(inVain);
            more.add(plan);
            return new Wanted(object, asFile, arrival, more);
        }
    }

    private void bring(Wanted wanted) {
        if (contents.has(wanted.object(), wanted.asFile())) {
            wanted.arrival().complete(null);
            return;
        }
        synchronized (this) {
            for (Reading running : readings.values()) {
                CompletableFuture<Void> mine = new CompletableFuture<>();
                if (running.lacking.await(wanted.object(), wanted.asFile(), mine)) {
                    follow(mine, wanted, running.digest);
                    return;
                }
            }
        }
        search(wanted, () -> find(wanted));
    }

    /** Runs a step for a reader, who learns when it fails. */
    private void search(Wanted wanted, Runnable step) {
        execute(finding, () -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                wanted.arrival().completeExceptionally(new IOException("a bug ended the search of layers: " + e, e));
            }
        });
    }

    /** When the agent stops, readers wait for the next one. */
    private static void execute(ExecutorService threads, Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "no layer is read any more", e);
        }
    }

    /** When it does not come by this plan's image, the images of other plans may have it. */
    private void follow(CompletableFuture<Void> source, Wanted wanted, Digest plan) {
        var _ = source.whenComplete((_, failure) -> {
            if (failure == null) {
                wanted.arrival().complete(null);
            } else if (failure instanceof UnfinishedException) {
                search(wanted, () -> bring(wanted));
            } else {
                search(wanted, () -> find(wanted.without(plan), failure));
            }
        });
    }

    private void find(Wanted wanted) {
        find(wanted, new IOException("no plan on this node has it"));
    }

    private void find(Wanted wanted, Throwable otherwise) {
        Throwable failure = otherwise;
        for (StoredPlan stored : runningFirst()) {
            if (wanted.inVain().contains(stored.digest())) {
                continue;
            }
            try {
                Optional<Plan> plan = plans.loadIfHere(stored.digest());
                Optional<PlanObject> listed = plan.flatMap(all -> all.objects().stream()
                        .filter(one -> one.digest().equals(wanted.object()))
                        .findFirst());
                if (listed.isPresent()) {
                    Optional<IOException> refusal = refusal(stored.digest(), plan.get(), wanted.object());
                    if (refusal.isEmpty()) {
                        request(stored.digest(), plan.get(), listed.get(), wanted);
                        return;
                    }
                    failure = refusal.get();
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
        }
        wanted.arrival().completeExceptionally(failure);
    }

    private synchronized List<StoredPlan> runningFirst() {
        return plans.all().stream()
                .sorted(Comparator.comparing(plan -> !readings.containsKey(plan.digest())))
                .toList();
    }

    /** Why it is in vain to read the image of a plan for an object. */
    private synchronized Optional<IOException> refusal(Digest digest, Plan plan, Digest object) {
        if (absent.getOrDefault(digest, Set.of()).contains(object)) {
            return Optional.of(new IOException("no layer of image " + plan.image() + " gives it"));
        }
        @Nullable Failure last = failures.get(digest);
        return last != null && System.nanoTime() - last.nanos() < PAUSE.toNanos()
                ? Optional.of(last.reason())
                : Optional.empty();
    }

    private void request(Digest digest, Plan plan, PlanObject object, Wanted wanted) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        Reading reading;
        synchronized (this) {
            @Nullable Reading running = readings.get(digest);
            reading = running == null ? new Reading(digest, plan) : running;
            if (!reading.lacking.await(object, wanted.asFile(), mine)) {
                // It has gone by, perhaps.
                var _ = reading.end.whenComplete((_, _) -> search(wanted, () -> bring(wanted)));
                return;
            }
            readings.put(digest, reading);
            if (running != null) {
                follow(mine, wanted, digest);
                return;
            }
        }
        follow(mine, wanted, digest);
        execute(threads, () -> reading.run(object));
    }

    /** The reading of one image. */
    private final class Reading {
        private final Digest digest;
        private final Plan plan;
        private final LackingObjects lacking = new LackingObjects(contents);
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private boolean isWorthwhile;
        private boolean hasLooked;
        private long lookedNanos;

        Reading(Digest digest, Plan plan) {
            this.digest = digest;
            this.plan = plan;
        }

        void run(PlanObject first) {
            @Nullable IOException failure = null;
            boolean isWhole = false;
            try {
                isWhole = read(first);
            } catch (IOException e) {
                failure = e;
            } catch (RuntimeException | Error e) {
                failure = new IOException("a bug ended the reading of layers: " + e, e);
            }
            if (threads.isShutdown()) {
                return;
            }
            synchronized (ImageLayers.this) {
                readings.remove(digest);
                if (failure != null) {
                    failures.put(digest, new Failure(failure, System.nanoTime()));
                }
                Set<Digest> gone = new HashSet<>(absent.getOrDefault(digest, Set.of()));
                gone.addAll(lacking.unfit());
                gone.addAll(failure == null && isWhole ? lacking.left() : Set.of());
                absent.put(digest, gone);
            }
            if (failure == null) {
                // Somebody may have begun to wait at the last moment.
                failure = isWhole
                        ? new IOException("no layer of image " + plan.image() + " gives it")
                        : new UnfinishedException();
            }
            lacking.fail(failure);
            end.complete(null);
            events.info(TOPIC, lacking.kept() + " objects came by the layers of image " + plan.image());
        }

        private boolean read(PlanObject first) throws IOException {
            events.fallback(
                    TOPIC,
                    "reading the layers of image " + plan.image() + ", as the service does not send object "
                            + first.digest());
            lacking.begin(plan.objects());
            IOException last = new IOException("containerd does not say where image " + plan.image() + " is from");
            for (ImageReference reference : sources.of(plan.image())) {
                try {
                    // The files of a runtime are at the bottom, those of a function on top.
                    return new LayerPass(registry, lacking, this::isNeeded)
                            .over(reference, first.segment() != Segment.BASE);
                } catch (IOException e) {
                    last = e;
                }
            }
            throw last;
        }

        /** Objects without a reader are read on while the service is away, and nobody waits for another image. */
        private boolean isNeeded() {
            if (lacking.isEmpty() || lacking.areAwaited()) {
                return !lacking.isEmpty();
            }
            if (!hasLooked || System.nanoTime() - lookedNanos > LOOK.toNanos()) {
                isWorthwhile = plans.has(digest) && !isServiceThere.getAsBoolean();
                hasLooked = true;
                lookedNanos = System.nanoTime();
            }
            return isWorthwhile && threads.getQueue().isEmpty();
        }
    }

    /** Begins no more readings; those that run end with this process, and who waits for them waits for the next one. */
    @Override
    public void close() {
        finding.shutdown();
        threads.shutdown();
    }
}
