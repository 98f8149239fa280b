package io.faasimage.node.plans.lazy;

import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.start.StartEvent.PlanMounted;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.lookup.PlanLookup;
import io.faasimage.node.plans.lookup.PlanQuestion;
import io.faasimage.node.plans.lookup.PlanRefresh;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.plans.prefetch.PlanConfig;
import io.faasimage.node.plans.prefetch.PrefetchPulls;
import io.faasimage.node.plans.prefetch.WholePlans;
import io.faasimage.node.plans.rootfs.PlanMounts;
import io.faasimage.node.plans.rootfs.RootLayers;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The planned chains of this node: local plans first, then the service, which sends the plan, the metadata image and
 * the first objects in one answer; mounts when a container starts. Thread-safe.
 */
public final class PlannedImages implements LazyImages, AutoCloseable {
    private static final String TOPIC = "plan";
    static final String NO_PLAN = "there is no plan for this image (yet)";
    static final String REFUSED = "the service's plan of this image is refused, an event says why";
    /** How long a client may take to mount a claimed layer. */
    private static final Duration UNMOUNTED = Duration.ofSeconds(30);

    private final Parts parts;
    private final PlanStore plans;
    private final PlanMounts mounts;
    private final PrefetchPulls prefetch;
    private final PlanLookup lookup;
    private final PlanRefresh refresh;
    private final WholePlans wholePlans;
    private final ClaimCheck claims;
    private final PlanRetention retention;
    /** Chains whose layers were opened for a client, which may be about to mount them. */
    private final Recent<ChainId> opened = new Recent<>(UNMOUNTED);

    /**
     * The parts of a node that its planned images need.
     *
     * @param link to the service, with short time limits
     * @param plans on the local disk
     * @param pulls the pull engine
     * @param config limits
     * @param manifests of the images that are pulled
     * @param mounts of root file systems
     * @param gate below every planned root file system
     * @param unsupported why this kernel cannot mount planned root file systems; empty when it can
     * @param starts receive the events of starts
     * @param events receives fall-backs and errors
     */
    public record Parts(
            ServiceLink link,
            PlanStore plans,
            Pulls pulls,
            PlanConfig config,
            PulledManifests manifests,
            PlanMounts mounts,
            GateReadiness gate,
            Optional<String> unsupported,
            StartEvents starts,
            Events events) {}

    /** The planned images of a node with these parts. */
    public PlannedImages(Parts parts) {
        this.parts = parts;
        this.plans = parts.plans();
        this.mounts = parts.mounts();
        Events events = parts.events();
        prefetch = new PrefetchPulls(plans, parts.pulls(), parts.config(), this::forgotten, events);
        lookup = new PlanLookup(parts.link(), parts.pulls(), plans, parts.config(), prefetch, parts.starts(), events);
        refresh = new PlanRefresh(parts.link(), plans, lookup, prefetch, events);
        wholePlans = new WholePlans(prefetch, plans, parts.pulls().store(), events);
        claims = new ClaimCheck(parts, lookup);
        retention = new PlanRetention(plans, parts.pulls(), lookup, wholePlans, mounts);
    }

    /** The service does not know this plan any more: the current one is pulled instead. */
    private void forgotten(StoredPlan plan) {
        refresh.request(plan.top().chainId());
    }

    @Override
    public boolean claim(WantedLayer layer) {
        if (!claims.isPlanned(layer)) {
            return false;
        }
        if (layer.purpose() == PullProof.Purpose.START) {
            whole(layer.chain()).ifPresent(this::prefetch);
        }
        return true;
    }

    /** The local plan of the image with this top. */
    private Optional<StoredPlan> whole(ChainId top) {
        return plans.find(top).filter(plan -> endsAt(plan, top));
    }

    /** The retention of plans and objects while containers run. */
    public PlanRetention retention() {
        return retention;
    }

    /**
     * Removes plans that no container uses, and the service's answers about them. Called while their objects are being
     * dropped.
     */
    public void remove(Collection<StoredPlan> unused) throws IOException {
        for (StoredPlan plan : unused) {
            plans.remove(plan.digest());
        }
        claims.forget();
        Set<Digest> kept = plans.all().stream()
                .flatMap(plan -> plan.layers().stream())
                .map(PlanLayer::metadata)
                .collect(Collectors.toSet());
        unused.stream()
                .flatMap(plan -> plan.layers().stream())
                .filter(layer -> !kept.contains(layer.metadata()))
                .distinct()
                .forEach(layer -> mounts.release(layer.metadata(), () -> !opened.contains(layer.chainId())));
    }

    /**
     * The newest plan of a whole image.
     *
     * @param plan empty when there is none that can be used here
     * @param reason why there is none; empty otherwise
     * @param wireBytes received from the service for this answer
     */
    public record Refreshed(Optional<StoredPlan> plan, String reason, long wireBytes) {}

    /**
     * The newest plan of {@code top}: the service's, or the local one when the service does not answer.
     *
     * @param top chain ID of a whole image
     * @param manifest of the image, when it is to be pulled; any image with these layers otherwise
     */
    public Refreshed refresh(ChainId top, Optional<Digest> manifest) {
        if (parts.unsupported().isPresent()) {
            return new Refreshed(Optional.empty(), parts.unsupported().get(), 0);
        }
        try {
            PlanLookup.Answer answer =
                    lookup.ask(manifest.map(PlanQuestion::ofImage).orElseGet(() -> PlanQuestion.ofChain(top)));
            String reason = answer.plan().isPresent() ? "" : answer.refusal().orElse(NO_PLAN);
            return new Refreshed(answer.plan(), reason, answer.wireBytes());
        } catch (IOException e) {
            String reason = Events.reason(e);
            Optional<StoredPlan> here = manifest.isPresent() ? claims.local(manifest.get()) : plans.find(top);
            here = here.filter(
                    plan -> endsAt(plan, top) && plans.images().has(plan.top().metadata()));
            parts.events()
                    .fallback(
                            TOPIC,
                            "the newest plan of chain " + top + " is not known, "
                                    + (here.isPresent() ? "using the one on this node: " : "and there is none here: ")
                                    + reason);
            return new Refreshed(here, here.isPresent() ? "" : reason, 0);
        }
    }

    /** A local plan of the image with this manifest that can be mounted without the service; sends no request. */
    public Optional<StoredPlan> here(Digest manifest) {
        return claims.local(manifest);
    }

    /**
     * The plan of an image, with its metadata image, of this node or else of the service; no object is fetched.
     *
     * @param manifest digest of the image
     * @throws IOException when there is none that can be used, with the reason
     */
    public StoredPlan withoutObjects(Digest manifest) throws IOException {
        if (parts.unsupported().isPresent()) {
            throw new IOException(parts.unsupported().get());
        }
        Optional<StoredPlan> here = here(manifest);
        if (here.isPresent()) {
            return here.get();
        }
        lookup.checkThere();
        PlanLookup.Answer answer = lookup.ask(PlanQuestion.forCatalogue(manifest));
        return answer.plan().orElseThrow(() -> new IOException(answer.refusal().orElse(NO_PLAN)));
    }

    /** The pull of the objects that a start of the plan reads, begun unless it runs; empty when all are present. */
    public Optional<Pull> prefetch(StoredPlan plan) {
        plans.uses().touched(plan.digest());
        return prefetch.begin(plan, Optional.empty());
    }

    @Override
    public RootLayers open(ChainId chain, Purpose purpose) throws IOException {
        opened.add(List.of(chain));
        RootLayers layers;
        try {
            layers = openOnce(chain, purpose.nested());
        } catch (IOException e) {
            if (isWholeHere(chain)) {
                throw e;
            }
            parts.events().fallback(TOPIC, "chain " + chain + " is requested again: it was pruned meanwhile");
            layers = openOnce(chain, purpose.nested());
        }
        if (purpose.start()) {
            whole(chain).ifPresent(plan -> {
                plans.uses().touched(plan.digest());
                refresh.request(chain);
            });
        }
        return layers;
    }

    private boolean isWholeHere(ChainId chain) {
        return plans.find(chain)
                .flatMap(plan -> plan.layer(chain))
                .filter(layer -> plans.images().has(layer.metadata()))
                .isPresent();
    }

    private RootLayers openOnce(ChainId chain, boolean nested) throws IOException {
        StoredPlan plan = claims.plan(chain);
        PlanLayer layer = plan.layer(chain).orElseThrow();
        lookup.needMetadata(layer);
        if (endsAt(plan, chain)) {
            prefetch.open(plan);
        }
        parts.gate().await(parts.config().gateWait());
        // Unplanned layers go on overlays that many images share, and whose data layers never change.
        List<Path> packs = nested || !endsAt(plan, chain) ? List.of() : prefetch.packs(plan);
        RootLayers layers = mounts.open(layer, plans.images().path(layer.metadata()), nested, packs);
        parts.starts().accept(new PlanMounted(plan.digest()));
        return layers;
    }

    /** Whether containers of this image wait for the whole prefetch list. */
    public boolean startsComplete(Refreshed refreshed) {
        return refreshed
                .plan()
                .filter(plan -> prefetch.startMode(plan) == StartMode.COMPLETE)
                .isPresent();
    }

    @Override
    public void reading(ChainId chain) {
        plans.find(chain).ifPresent(prefetch::all);
    }

    @Override
    public void release(ChainId chain, BooleanSupplier unused) {
        whole(chain).ifPresent(plan -> plans.uses().released(plan.digest()));
        plans.all().stream()
                .flatMap(plan -> plan.layers().stream())
                .filter(layer -> layer.chainId().equals(chain))
                .distinct()
                .forEach(layer -> mounts.release(layer.metadata(), unused));
    }

    /** Whether the local plan of the image with this top was made from a trace; sends no request to the service. */
    public boolean isTracedHere(ChainId chain) {
        return whole(chain)
                .filter(plan -> !plans.settings().of(plan.digest()).predicted())
                .isPresent();
    }

    private static boolean endsAt(StoredPlan plan, ChainId chain) {
        return plan.top().chainId().equals(chain);
    }

    /**
     * Another gate serves: new mounts use it.
     *
     * @param died whether containers on the old one can fetch nothing any more
     */
    public void gateReplaced(boolean died) {
        retention.gateReplaced(died);
    }

    /** Continues the work that an earlier process left. Returns at once. */
    public void resume() {
        retention.resumeWhole();
        refresh.requestStatements();
    }

    /** Ends the work in the background; mounts stay. */
    @Override
    public void close() {
        refresh.close();
        wholePlans.close();
        prefetch.close();
    }
}
