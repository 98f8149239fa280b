package io.faasimage.node.plan;

import io.faasimage.api.BundleRequest.ObjectSet;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The planned chains of this node: local plans first, then the registry; pulls in the background; mounts when a container
 * starts. Thread-safe.
 */
public final class NodePlans implements PlannedChains, AutoCloseable {
    private static final String TOPIC = "plan";
    private static final int FLUSH_SECONDS = 10;

    private final Parts parts;
    private final PlanConfig config;
    private final PlanLookup lookup;
    private final PrefixImages prefixImages;
    private final Optional<String> unsupported;
    /** Plans whose whole start-up set was seen on this disk by this process. */
    private final Set<Digest> held = ConcurrentHashMap.newKeySet();
    /** When a pull last ended without everything, in nanoseconds of the monotonic clock. */
    private final Map<Digest, Long> incomplete = new ConcurrentHashMap<>();

    /** Images whose layers are being asked for. */
    private final Collection<ChainId> expected = new ConcurrentLinkedQueue<>();

    private final AtomicReference<@Nullable ChainId> lastRefused = new AtomicReference<>();
    /** Pulls everything of plans whose containers lost the gate; one thread, so that starts keep their share. */
    private final ExecutorService wholePlans = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("whole-plans").daemon().factory());
    /** Flushes what was pulled; ended in order, so that no mark is written behind {@link #close}. */
    private final ExecutorService flushes = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("checkpoint").daemon().factory());

    /**
     * What this works with.
     *
     * @param plans on the local disk
     * @param pulls the pull engine
     * @param link to the registry, with short time limits
     * @param mounts of their root file systems
     * @param gate below every planned root file system
     * @param store of objects
     * @param events takes fall-backs
     */
    public record Parts(
            PlanStore plans,
            Pulls pulls,
            RegistryLink link,
            PlanMounts mounts,
            GateReadiness gate,
            ObjectStore store,
            Events events) {}

    /**
     * Planned chains over {@code parts}.
     *
     * @param unsupported why this kernel cannot mount planned root file systems; empty when it can
     */
    public NodePlans(Parts parts, PlanConfig config, Optional<String> unsupported) {
        this.parts = parts;
        this.config = config;
        this.unsupported = unsupported;
        this.lookup = new PlanLookup(parts.link(), parts.plans(), parts.events(), config.lookup());
        this.prefixImages = new PrefixImages(
                parts.plans(), parts.pulls(), lookup, parts.events(), InstantSource.system(), config.prefixAge());
    }

    @Override
    public boolean isPlanned(ChainId chain) {
        if (unsupported.isPresent()) {
            return refused(chain, unsupported.get());
        }
        if (local(chain).isEmpty() && asked(chain).isEmpty()) {
            return false;
        }
        // A layer that is claimed cannot be fetched later, and without the gate nothing could start on it.
        Optional<String> down = parts.gate().downFor(config.gateWait());
        return down.isEmpty() || refused(chain, down.get());
    }

    private boolean refused(ChainId chain, String reason) {
        if (!chain.equals(lastRefused.getAndSet(chain))) {
            parts.events().fallback(TOPIC, "chain " + chain + " is pulled the ordinary way: " + reason);
        }
        return false;
    }

    private Optional<StoredPlan> local(ChainId chain) {
        return parts.plans()
                .find(chain)
                .filter(plan -> parts.plans().hasMetadata(plan.top().metadata()))
                .filter(plan -> endsAt(plan, chain) || isUsablePrefix(plan, chain));
    }

    /**
     * Whether layers on top of {@code chain} could be mounted: the metadata image of a prefix is fetched only when it is
     * needed, and a client that was told to skip a layer cannot go back.
     */
    private boolean isUsablePrefix(StoredPlan plan, ChainId chain) {
        boolean here = plan.layer(chain)
                .filter(layer -> parts.plans().hasMetadata(layer.metadata()))
                .isPresent();
        return here
                || expected.stream().anyMatch(top -> isPrefixHere(top, chain))
                || parts.link().reachableWithin(config.recent());
    }

    private boolean isPrefixHere(ChainId top, ChainId chain) {
        return parts.plans()
                .find(top)
                .filter(plan -> endsAt(plan, top) && plan.layer(chain).isPresent())
                .isPresent();
    }

    /**
     * Announces that the layers of an image are about to be asked for, so that those below {@code top} need no metadata
     * images of their own. Ends with the close.
     */
    public Expectation expect(ChainId top) {
        expected.add(top);
        return () -> expected.remove(top);
    }

    /** An announced image. */
    @FunctionalInterface
    public interface Expectation extends AutoCloseable {
        @Override
        void close();
    }

    private Optional<StoredPlan> asked(ChainId chain) {
        try {
            return lookup.ask(chain).map(PlanLookup.Answer::plan);
        } catch (IOException e) {
            parts.events().fallback(TOPIC, "chain " + chain + " counts as not planned: " + Events.reason(e));
            return Optional.empty();
        }
    }

    /**
     * The newest plan of a whole image.
     *
     * @param plan empty when there is none that can be used here
     * @param reason why there is none; empty otherwise
     * @param wireBytes received from the registry for this answer
     */
    public record Refreshed(Optional<StoredPlan> plan, String reason, long wireBytes) {}

    /**
     * The newest plan of {@code top}, the registry asked first; what is here when it does not answer.
     *
     * @param top chain ID of a whole image
     */
    public Refreshed refresh(ChainId top) {
        if (unsupported.isPresent()) {
            return new Refreshed(Optional.empty(), unsupported.get(), 0);
        }
        try {
            Optional<PlanLookup.Answer> answer = lookup.ask(top);
            return new Refreshed(
                    answer.map(PlanLookup.Answer::plan),
                    answer.isPresent() ? "" : "the registry has no plan for this image (yet)",
                    answer.map(PlanLookup.Answer::wireBytes).orElse(0L));
        } catch (IOException e) {
            String reason = Events.reason(e);
            Optional<StoredPlan> here = local(top);
            parts.events()
                    .fallback(
                            TOPIC,
                            "the newest plan of chain " + top + " is not known, "
                                    + (here.isPresent() ? "using the one on this node: " : "and there is none here: ")
                                    + reason);
            return new Refreshed(here, here.isPresent() ? "" : reason, 0);
        }
    }

    @Override
    public void claimed(ChainId chain) {
        parts.plans().find(chain).filter(plan -> endsAt(plan, chain)).ifPresent(plan -> {
            if (!held.contains(plan.digest())) {
                startup(plan);
            }
        });
    }

    /** The pull of the plan's start-up set, started unless it runs; empty when all is known to be held. */
    public Optional<Pull> startup(StoredPlan plan) {
        if (held.contains(plan.digest())) {
            return Optional.empty();
        }
        return Optional.of(start(plan, ObjectSet.STARTUP));
    }

    private Pull start(StoredPlan plan, ObjectSet set) {
        Pull pull = parts.pulls().start(plan.digest(), () -> parts.plans().load(plan.digest()), set);
        if (set == ObjectSet.STARTUP) {
            pull.whenDone(report -> ended(plan, report));
        }
        return pull;
    }

    private void ended(StoredPlan plan, PullReport report) {
        if (!report.complete()) {
            incomplete.put(plan.digest(), System.nanoTime());
            unmark(plan);
            return;
        }
        incomplete.remove(plan.digest());
        if (held.add(plan.digest())) {
            try {
                flushes.execute(() -> makeDurable(plan, report));
            } catch (RejectedExecutionException e) {
                parts.events().info(TOPIC, "plan " + plan.digest() + " is not marked as complete: the node shuts down");
            }
        }
    }

    /** The registry must not leave out objects because of a plan that lacks some. */
    private void unmark(StoredPlan plan) {
        try {
            parts.plans().unmarkComplete(plan.digest());
        } catch (IOException e) {
            parts.events().error(TOPIC, "plan " + plan.digest() + " stays marked as complete: " + Events.reason(e));
        }
    }

    private void makeDurable(StoredPlan plan, PullReport report) {
        try {
            if (report.objects() > 0) {
                parts.store().checkpoint();
            }
            parts.plans().markComplete(plan.digest());
        } catch (IOException e) {
            parts.events().error(TOPIC, "could not flush plan " + plan.digest() + " to the disk: " + Events.reason(e));
        }
    }

    @Override
    public RootLayers open(ChainId chain, boolean nested) throws IOException {
        StoredPlan plan = parts.plans()
                .find(chain)
                .orElseThrow(() -> new IOException(
                        "no plan on this node contains chain " + chain + "; remove the image and pull it again"));
        PlanLayer layer = plan.layer(chain).orElseThrow();
        lookup.needMetadata(layer);
        if (endsAt(plan, chain)) {
            awaitStartup(plan);
        }
        parts.gate().await(config.gateWait());
        return parts.mounts().open(chain, parts.plans().metadataPath(layer.metadata()), nested);
    }

    private void awaitStartup(StoredPlan plan) {
        Long failed = incomplete.get(plan.digest());
        boolean recently =
                failed != null && System.nanoTime() - failed < config.repull().toNanos();
        Optional<Pull> pull = recently ? parts.pulls().running(plan.digest(), ObjectSet.STARTUP) : startup(plan);
        if (pull.isPresent()) {
            await(plan, pull.get());
        }
    }

    private void await(StoredPlan plan, Pull pull) {
        String rest = ": the start goes on, what is missing is fetched when it is read";
        try {
            PullReport report = pull.done().get(config.startupWait().toNanos(), TimeUnit.NANOSECONDS);
            if (!report.complete()) {
                parts.events()
                        .fallback(
                                TOPIC, report.missing() + " objects of plan " + plan.digest() + " are missing" + rest);
            }
        } catch (TimeoutException e) {
            parts.events()
                    .fallback(
                            TOPIC,
                            "the pull of plan " + plan.digest() + " has not ended after "
                                    + config.startupWait().toMillis() + " ms" + rest);
        } catch (ExecutionException e) {
            parts.events().fallback(TOPIC, "the pull of plan " + plan.digest() + " failed: " + e.getCause() + rest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void released(ChainId chain) {
        parts.mounts().release(chain);
    }

    /**
     * The gate died: containers on it can fetch nothing any more, so everything that they may read is pulled in the
     * background, one plan after the other, and what is mounted from now on uses its successor. Returns at once.
     */
    public void gateReplaced() {
        parts.mounts().gateReplaced();
        Set<ChainId> used = parts.mounts().used(chains());
        parts.plans().all().stream()
                .filter(plan -> plan.layers().stream()
                        .map(PlanLayer::chainId)
                        .anyMatch(chain -> used.contains(chain) && isFor(plan, chain)))
                .forEach(plan -> wholePlans.execute(() -> pullWhole(plan)));
    }

    private List<ChainId> chains() {
        return parts.plans().all().stream()
                .flatMap(plan -> plan.layers().stream())
                .map(PlanLayer::chainId)
                .distinct()
                .toList();
    }

    private void pullWhole(StoredPlan plan) {
        parts.events()
                .fallback(
                        TOPIC,
                        "pulling the rest of plan " + plan.digest()
                                + ", whose containers cannot fetch objects since the gate died");
        try {
            Optional<Pull> startup = startup(plan);
            if (startup.isPresent()) {
                startup.get().done().get();
            }
            start(plan, ObjectSet.REST).done().get();
        } catch (ExecutionException e) {
            parts.events().error(TOPIC, "the rest of plan " + plan.digest() + " is not here: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isFor(StoredPlan plan, ChainId chain) {
        return parts.plans().find(chain).filter(plan::equals).isPresent();
    }

    /** Whether a plan on this node is that of the image with this top; the registry is not asked. */
    public boolean isTopHere(ChainId chain) {
        return parts.plans().find(chain).filter(plan -> endsAt(plan, chain)).isPresent();
    }

    private static boolean endsAt(StoredPlan plan, ChainId chain) {
        return plan.top().chainId().equals(chain);
    }

    /** Why planned images are handled as ordinary ones on this kernel; empty when they are not. */
    public Optional<String> unsupported() {
        return unsupported;
    }

    /** Ends the work in the background; mounts stay. */
    @Override
    public void close() {
        wholePlans.shutdownNow();
        prefixImages.close();
        flushes.shutdown();
        try {
            if (!flushes.awaitTermination(FLUSH_SECONDS, TimeUnit.SECONDS)) {
                parts.events().error(TOPIC, "the disk has not taken what was pulled after " + FLUSH_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
