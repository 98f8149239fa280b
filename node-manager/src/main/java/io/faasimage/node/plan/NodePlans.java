package io.faasimage.node.plan;

import io.faasimage.api.StartMode;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartSigns;
import io.faasimage.node.start.StartWatch;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The planned chains of this node: local plans first, then the registry, which sends the plan, the metadata image and the
 * first objects in one answer; mounts when a container starts. Thread-safe.
 */
public final class NodePlans implements PlannedChains, AutoCloseable {
    private static final String TOPIC = "plan";
    /** How long a client may take until it has mounted what it was told. */
    private static final Duration UNMOUNTED = Duration.ofSeconds(30);

    private final Parts parts;
    private final PlanConfig config;
    private final PlanLookup lookup;
    private final StartupPulls startups;
    private final PrefixImages prefixImages;
    private final Optional<String> unsupported;
    /** Chains that the registry has just told to be planned: only the top of an image tells which one it is. */
    private final Recent<ChainId> told;
    /** Images that the registry has just been asked for. */
    private final Recent<Digest> asked;

    /** Chains whose layers were told to a client, which may be about to mount them. */
    private final Recent<ChainId> opened = new Recent<>(UNMOUNTED);

    /** Images whose layers are being asked for. */
    private final Collection<ChainId> expected = new ConcurrentLinkedQueue<>();

    private final AtomicReference<@Nullable ChainId> lastRefused = new AtomicReference<>();

    /**
     * What this works with.
     *
     * @param plans on the local disk
     * @param pulls the pull engine
     * @param link to the registry, with short time limits
     * @param mounts of their root file systems
     * @param gate below every planned root file system
     * @param store of objects
     * @param starts watches what starts read
     * @param signs is told how starts go on
     * @param spans of starts
     * @param events takes fall-backs
     */
    public record Parts(
            PlanStore plans,
            Pulls pulls,
            RegistryLink link,
            PlanMounts mounts,
            GateReadiness gate,
            ObjectStore store,
            StartWatch starts,
            StartSigns signs,
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
        this.startups = new StartupPulls(parts.plans(), parts.pulls(), parts.store(), parts.events(), config);
        this.lookup = new PlanLookup(
                parts.link(),
                parts.pulls(),
                parts.plans(),
                parts.events(),
                config,
                startups::startup,
                parts.signs(),
                parts.spans());
        this.told = new Recent<>(config.prefixAge());
        this.asked = new Recent<>(config.prefixAge());
        this.prefixImages = new PrefixImages(
                parts.plans(), parts.pulls(), lookup, parts.events(), InstantSource.system(), config.prefixAge());
    }

    @Override
    public boolean isPlanned(ChainId chain) {
        if (unsupported.isPresent()) {
            return refused(chain, unsupported.get());
        }
        if (local(chain).isEmpty() && !told.contains(chain) && !isKnownToRegistry(chain)) {
            return false;
        }
        // A layer that is claimed cannot be fetched later, and without the gate nothing could start on it.
        Optional<String> down = parts.gate().downFor(config.gateWait());
        return down.isEmpty() || refused(chain, down.get());
    }

    private boolean refused(ChainId chain, String reason) {
        parts.signs().ordinary(chain, reason);
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
                || parts.link().givesWithin(config.recent());
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

    private boolean isKnownToRegistry(ChainId chain) {
        try {
            PlanLookup.Answer answer = lookup.ask(chain);
            told.add(answer.chains());
            boolean known = answer.plan().isPresent() || answer.chains().contains(chain);
            if (!known) {
                parts.signs().ordinary(chain, "the registry has no plan for it (yet)");
            }
            return known;
        } catch (IOException e) {
            parts.signs().ordinary(chain, "the registry could not be asked: " + Events.reason(e));
            parts.events().fallback(TOPIC, "chain " + chain + " counts as not planned: " + Events.reason(e));
            return false;
        }
    }

    @Override
    public void announced(Digest image) {
        if (unsupported.isPresent()
                || asked.contains(image)
                || parts.plans().all().stream().anyMatch(plan -> plan.image().equals(image))) {
            return;
        }
        asked.add(List.of(image));
        try {
            lookup.ask(image)
                    .plan()
                    .ifPresent(plan -> told.add(
                            plan.layers().stream().map(PlanLayer::chainId).toList()));
        } catch (IOException e) {
            parts.events().fallback(TOPIC, "image " + image + " counts as not planned: " + Events.reason(e));
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
            PlanLookup.Answer answer = lookup.ask(top);
            return new Refreshed(
                    answer.plan(),
                    answer.plan().isPresent() ? "" : "the registry has no plan for this image (yet)",
                    answer.wireBytes());
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
        RootLayers layers = parts.mounts().open(chain, parts.plans().mountableMetadata(layer.metadata()), nested);
        parts.signs().mounted(plan.digest());
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
            parts.starts().begin(plan.digest(), plan.image());
        });
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
        startups.whole(parts.plans().all().stream()
                .filter(plan -> plan.layers().stream()
                        .map(PlanLayer::chainId)
                        .anyMatch(chain -> used.contains(chain) && isFor(plan, chain)))
                .toList());
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

    /** Those whose objects must not be dropped now: some are being pulled, or their containers could not fetch them again. */
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

    /** Takes plans away that nothing runs on; what the registry told of them is asked for again. During a {@link #losing}. */
    public void remove(Collection<StoredPlan> unused) throws IOException {
        for (StoredPlan plan : unused) {
            parts.plans().remove(plan.digest());
        }
        told.clear();
        asked.clear();
        Set<ChainId> kept = Set.copyOf(chains());
        unused.stream()
                .flatMap(plan -> plan.layers().stream())
                .map(PlanLayer::chainId)
                .filter(chain -> !kept.contains(chain) && !opened.contains(chain))
                .distinct()
                .forEach(parts.mounts()::release);
    }

    private List<ChainId> chains() {
        return parts.plans().all().stream()
                .flatMap(plan -> plan.layers().stream())
                .map(PlanLayer::chainId)
                .distinct()
                .toList();
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
        prefixImages.close();
        startups.close();
    }
}
