package io.faasimage.node.plan;

import io.faasimage.api.BundleRequest;
import io.faasimage.api.BundleStream;
import io.faasimage.api.StartMode;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvent.PlanMounted;
import io.faasimage.node.start.StartEvent.Unplanned;
import io.faasimage.node.start.StartEvents;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The planned chains of this node: local plans first, then the registry, which sends the plan, the metadata image and
 * the first objects in one answer; mounts when a container starts. Thread-safe.
 */
public final class NodePlans implements PlannedChains, AutoCloseable {
    private static final String TOPIC = "plan";
    private static final String NO_PLAN = "the registry has no plan for this image (yet)";
    /** How long an answer that an image is not planned stands for the next layers of its pull. */
    private static final Duration UNKNOWN = Duration.ofSeconds(1);
    /** How long a client may take until it has mounted what it was told. */
    private static final Duration UNMOUNTED = Duration.ofSeconds(30);

    private final Parts parts;
    private final PlanConfig config;
    private final PlanLookup lookup;
    private final StartupPulls startups;
    private final PlanRefresh refresh;
    private final Optional<String> unsupported;
    /** Planned layers of images without a plan of their own, as the registry has just answered. */
    private final Recent<Part> shown;
    /** Manifests that the registry has just answered not to know. */
    private final Recent<Digest> unknown = new Recent<>(UNKNOWN);

    /** Chains whose layers were told to a client, which may be about to mount them. */
    private final Recent<ChainId> opened = new Recent<>(UNMOUNTED);

    private final AtomicReference<@Nullable ChainId> lastRefused = new AtomicReference<>();

    /** A layer of an image. */
    private record Part(Digest manifest, ChainId chain) {}

    /**
     * What this works with.
     *
     * @param plans on the local disk
     * @param manifests of the images that are pulled
     * @param pulls the pull engine
     * @param link to the registry, with short time limits
     * @param mounts of their root file systems
     * @param gate below every planned root file system
     * @param store of objects
     * @param starts receives what happens in starts
     * @param spans of starts
     * @param events takes fall-backs
     */
    public record Parts(
            PlanStore plans,
            PulledManifests manifests,
            Pulls pulls,
            RegistryLink link,
            PlanMounts mounts,
            GateReadiness gate,
            ObjectStore store,
            StartEvents starts,
            StartSpans spans,
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
        this.startups =
                new StartupPulls(parts.plans(), parts.pulls(), parts.store(), parts.events(), config, this::forgotten);
        this.lookup = new PlanLookup(
                parts.link(),
                parts.pulls(),
                parts.plans(),
                parts.events(),
                config,
                startups::startup,
                parts.starts(),
                parts.spans());
        this.refresh =
                new PlanRefresh(parts.link(), parts.plans(), lookup, parts.events(), plan -> startups.startup(plan));
        this.shown = new Recent<>(config.answerAge());
    }

    @Override
    public boolean isPlanned(WantedLayer layer) {
        ChainId chain = layer.chain();
        if (unsupported.isPresent()) {
            return refused(chain, unsupported.get());
        }
        List<Digest> manifests;
        try {
            manifests = parts.manifests().of(layer);
        } catch (IOException e) {
            return refused(chain, "the manifest of the image that is pulled is not known: " + Events.reason(e));
        }
        for (Digest manifest : manifests) {
            if (!isPartOf(manifest, chain)) {
                return false;
            }
        }
        // A layer that is claimed cannot be fetched later, and without the gate nothing could start on it.
        Optional<String> down = parts.gate().downFor(config.gateWait());
        return down.isEmpty() || refused(chain, down.get());
    }

    private boolean refused(ChainId chain, String reason) {
        parts.starts().accept(new Unplanned(chain, reason));
        if (!chain.equals(lastRefused.getAndSet(chain))) {
            parts.events().fallback(TOPIC, "chain " + chain + " is pulled the ordinary way: " + reason);
        }
        return false;
    }

    /**
     * Whether the image with this manifest has a planned layer {@code chain}. Chain IDs are what an image's
     * configuration claims: the claim holds only for manifests whose layers the registry service has read, or was
     * shown.
     */
    private boolean isPartOf(Digest manifest, ChainId chain) {
        if (local(manifest).filter(plan -> plan.layer(chain).isPresent()).isPresent()) {
            return true;
        }
        try {
            boolean known = shown.contains(new Part(manifest, chain))
                    || (!unknown.contains(manifest) && isKnownToRegistry(manifest, chain));
            if (known && !hasPlanOf(manifest, chain)) {
                // Another image's plan has the layer: what is claimed must be mountable without the service.
                lookup.needMetadata(plan(chain).layer(chain).orElseThrow());
            }
            if (!known) {
                parts.starts().accept(new Unplanned(chain, NO_PLAN));
            }
            return known;
        } catch (IOException e) {
            parts.starts().accept(new Unplanned(chain, "the registry could not be asked: " + Events.reason(e)));
            parts.events().fallback(TOPIC, "chain " + chain + " counts as not planned: " + Events.reason(e));
            return false;
        }
    }

    private boolean hasPlanOf(Digest manifest, ChainId chain) {
        return parts.plans().all().stream()
                .anyMatch(plan ->
                        plan.image().equals(manifest) && plan.layer(chain).isPresent());
    }

    /** A plan of the image with this manifest whose root file system can be mounted without the registry. */
    private Optional<StoredPlan> local(Digest manifest) {
        return parts.plans().all().stream()
                .filter(plan -> plan.image().equals(manifest)
                        && parts.plans().hasMetadata(plan.top().metadata()))
                .findAny();
    }

    private boolean isKnownToRegistry(Digest manifest, ChainId chain) throws IOException {
        parts.link().checkThere();
        PlanLookup.Answer answer = lookup.ask(manifest);
        shown.add(answer.chains().stream().map(c -> new Part(manifest, c)).toList());
        boolean known = answer.chains().contains(chain)
                || answer.plan().flatMap(plan -> plan.layer(chain)).isPresent();
        if (!known) {
            unknown.add(List.of(manifest));
        }
        return known;
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
     * @param manifest of the image, when it is to be pulled; any image with these layers otherwise
     */
    public Refreshed refresh(ChainId top, Optional<Digest> manifest) {
        if (unsupported.isPresent()) {
            return new Refreshed(Optional.empty(), unsupported.get(), 0);
        }
        try {
            PlanLookup.Answer answer = manifest.isPresent() ? lookup.ask(manifest.get()) : lookup.ask(top);
            return new Refreshed(answer.plan(), answer.plan().isPresent() ? "" : NO_PLAN, answer.wireBytes());
        } catch (IOException e) {
            String reason = Events.reason(e);
            Optional<StoredPlan> here =
                    manifest.isPresent() ? local(manifest.get()) : parts.plans().find(top);
            here = here.filter(plan ->
                    endsAt(plan, top) && parts.plans().hasMetadata(plan.top().metadata()));
            parts.events()
                    .fallback(
                            TOPIC,
                            "the newest plan of chain " + top + " is not known, "
                                    + (here.isPresent() ? "using the one on this node: " : "and there is none here: ")
                                    + reason);
            return new Refreshed(here, here.isPresent() ? "" : reason, 0);
        }
    }

    /** The service does not know this plan any more: what it has instead is pulled. */
    private void forgotten(StoredPlan plan) {
        refresh.request(plan.top().chainId());
    }

    @Override
    public void claimed(ChainId chain) {
        parts.plans().find(chain).filter(plan -> endsAt(plan, chain)).ifPresent(this::startup);
    }

    /** The pull of the plan's start-up set, started unless it runs; empty when all is known to be held. */
    public Optional<Pull> startup(StoredPlan plan) {
        parts.plans().uses().touched(plan.digest());
        return startups.startup(plan);
    }

    @Override
    public RootLayers open(ChainId chain, boolean nested) throws IOException {
        opened.add(List.of(chain));
        try {
            return openOnce(chain, nested);
        } catch (IOException e) {
            if (isWholeHere(chain)) {
                throw e;
            }
            parts.events().fallback(TOPIC, "chain " + chain + " is asked for again: it was pruned meanwhile");
            return openOnce(chain, nested);
        }
    }

    private boolean isWholeHere(ChainId chain) {
        return parts.plans()
                .find(chain)
                .flatMap(plan -> plan.layer(chain))
                .filter(layer -> parts.plans().hasMetadata(layer.metadata()))
                .isPresent();
    }

    private RootLayers openOnce(ChainId chain, boolean nested) throws IOException {
        StoredPlan plan = plan(chain);
        PlanLayer layer = plan.layer(chain).orElseThrow();
        lookup.needMetadata(layer);
        if (endsAt(plan, chain)) {
            if (startMode(plan) == StartMode.COMPLETE) {
                startups.await(plan);
            } else {
                startups.begin(plan);
            }
        }
        parts.gate().await(config.gateWait());
        RootLayers layers = parts.mounts().open(layer, parts.plans().mountableMetadata(layer.metadata()), nested);
        parts.starts().accept(new PlanMounted(plan.digest()));
        return layers;
    }

    /** A chain that the registry only told of has its plan fetched now. */
    private StoredPlan plan(ChainId chain) throws IOException {
        Optional<StoredPlan> here = parts.plans().find(chain);
        if (here.isPresent()) {
            return here.get();
        }
        return lookup.askNewest(chain)
                .plan()
                .orElseThrow(() -> new IOException(
                        "no plan on this node contains chain " + chain + "; remove the image and pull it again"));
    }

    /** Whether containers of this image wait for the whole start-up set. */
    public boolean startsComplete(Refreshed refreshed) {
        return refreshed
                .plan()
                .filter(plan -> startMode(plan) == StartMode.COMPLETE)
                .isPresent();
    }

    private StartMode startMode(StoredPlan plan) {
        return parts.plans().settings(plan.digest()).start().orElse(config.start());
    }

    @Override
    public void starting(ChainId chain) {
        parts.plans().find(chain).filter(plan -> endsAt(plan, chain)).ifPresent(plan -> {
            parts.plans().uses().started(plan.digest());
            refresh.request(chain);
        });
    }

    @Override
    public void readingAll(ChainId chain) {
        parts.plans().find(chain).ifPresent(startups::fetchAll);
    }

    @Override
    public void released(ChainId chain, BooleanSupplier unused) {
        parts.plans()
                .find(chain)
                .filter(plan -> endsAt(plan, chain))
                .ifPresent(plan -> parts.plans().uses().released(plan.digest()));
        parts.plans().all().stream()
                .flatMap(plan -> plan.layer(chain).stream())
                .map(PlanLayer::metadata)
                .distinct()
                .forEach(image -> parts.mounts().release(image, unused));
    }

    /**
     * Another gate serves: what is mounted from now on uses it. Returns at once.
     *
     * @param died whether containers on the old one can fetch nothing any more; then everything that they may read is
     *     pulled in the background, one plan after the other, until nothing is missing
     */
    public void gateReplaced(boolean died) {
        parts.mounts().gateReplaced();
        if (died) {
            startups.whole(used(parts.plans().all()), this::isUsed);
        }
    }

    /** Goes on with what {@link #gateReplaced} began before the agent ended. Returns at once. */
    public void resumeWhole() {
        List<StoredPlan> begun = parts.plans().all().stream()
                .filter(plan -> parts.plans().isWhole(plan.digest()))
                .toList();
        startups.whole(used(begun), this::isUsed);
    }

    /** Objects that containers may read, cannot fetch, and that are still being brought; empty when there are none. */
    public OptionalLong missing(Digest plan) {
        return startups.missing(plan);
    }

    private boolean isUsed(StoredPlan plan) {
        return !used(List.of(plan)).isEmpty();
    }

    private List<StoredPlan> used(List<StoredPlan> plans) {
        Set<PlanLayer> used = plans.isEmpty()
                ? Set.of()
                : parts.mounts()
                        .used(plans.stream()
                                .flatMap(plan -> plan.layers().stream())
                                .toList());
        return plans.stream()
                .filter(plan ->
                        plan.layers().stream().anyMatch(layer -> used.contains(layer) && isFor(plan, layer.chainId())))
                .toList();
    }

    /** The time in which objects go. */
    @FunctionalInterface
    public interface Loss extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Objects of these plans are about to be dropped, until the close: they do not count as complete any more.
     *
     * @throws IOException when that cannot be noted; nothing may be dropped then
     */
    public Loss losing(Collection<Digest> plans) throws IOException {
        return startups.losing(plans);
    }

    /** Those whose root file systems are mounted for containers now. */
    public Set<Digest> inUse() {
        List<StoredPlan> all = parts.plans().all();
        Set<PlanLayer> used = parts.mounts()
                .inUse(all.stream().flatMap(plan -> plan.layers().stream()).toList());
        return all.stream()
                .filter(plan -> plan.layers().stream().anyMatch(used::contains))
                .map(StoredPlan::digest)
                .collect(Collectors.toSet());
    }

    /** Whether the service gives the objects of this plan now. */
    public boolean canFetch(Digest plan) {
        BundleRequest nothing = new BundleRequest(
                null, null, plan.toString(), List.of(), false, false, null, List.of(), 0L, null, null, 0);
        try (BundleStream answer = parts.link().bundle(nothing).orElse(null)) {
            return answer != null;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Those whose objects must not be dropped now: some are being pulled, or their containers could not fetch them
     * again.
     */
    public Set<Digest> needed() {
        Set<Digest> needed = parts.pulls().running().stream().map(Pull::plan).collect(Collectors.toSet());
        List<Digest> whole = parts.plans().all().stream()
                .map(StoredPlan::digest)
                .filter(parts.plans()::isWhole)
                .toList();
        if (!whole.isEmpty()) {
            Set<Digest> used = inUse();
            whole.stream().filter(used::contains).forEach(needed::add);
        }
        return needed;
    }

    /**
     * Takes plans away that nothing runs on; what the registry told of them is asked for again. During a
     * {@link #losing}.
     */
    public void remove(Collection<StoredPlan> unused) throws IOException {
        for (StoredPlan plan : unused) {
            parts.plans().remove(plan.digest());
        }
        shown.clear();
        Set<Digest> kept = parts.plans().all().stream()
                .flatMap(plan -> plan.layers().stream())
                .map(PlanLayer::metadata)
                .collect(Collectors.toSet());
        unused.stream()
                .flatMap(plan -> plan.layers().stream())
                .filter(layer -> !kept.contains(layer.metadata()))
                .distinct()
                .forEach(layer -> parts.mounts().release(layer.metadata(), () -> !opened.contains(layer.chainId())));
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
        refresh.close();
        startups.close();
    }
}
