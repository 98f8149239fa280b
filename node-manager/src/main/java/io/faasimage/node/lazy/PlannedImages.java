package io.faasimage.node.lazy;

import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import io.faasimage.node.lookup.PlanLookup;
import io.faasimage.node.lookup.PlanSupply;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.prefetch.PrefetchPulls;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.rootfs.PlanMounts;
import io.faasimage.node.rootfs.RootLayers;
import io.faasimage.node.start.StartEvent.PlanMounted;
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
    static final String NO_PLAN = "the service has no plan for this image (yet)";
    static final String REFUSED = "the service's plan of this image is refused, an event says why";
    /** How long a client may take to mount a claimed layer. */
    private static final Duration UNMOUNTED = Duration.ofSeconds(30);

    private final PlanSupply supply;
    private final PlanStore plans;
    private final PrefetchPulls startups;
    private final PlanMounts mounts;
    private final GateReadiness gate;
    private final ClaimCheck claims;
    private final PlanRetention retention;
    private final Optional<String> unsupported;
    /** Chains whose layers were opened for a client, which may be about to mount them. */
    private final Recent<ChainId> opened = new Recent<>(UNMOUNTED);

    /**
     * Planned chains out of {@code supply}, which is closed with this.
     *
     * @param manifests of the images that are pulled
     * @param mounts of their root file systems
     * @param gate below every planned root file system
     * @param unsupported why this kernel cannot mount planned root file systems; empty when it can
     */
    public PlannedImages(
            PlanSupply supply,
            PulledManifests manifests,
            PlanMounts mounts,
            GateReadiness gate,
            Optional<String> unsupported) {
        this.supply = supply;
        this.plans = supply.plans();
        this.startups = supply.startups();
        this.mounts = mounts;
        this.gate = gate;
        this.unsupported = unsupported;
        this.claims = new ClaimCheck(supply, manifests, gate, unsupported);
        this.retention = new PlanRetention(supply, mounts);
    }

    @Override
    public boolean isPlanned(WantedLayer layer) {
        return claims.isPlanned(layer);
    }

    /** The retention of plans and objects while containers run. */
    public PlanRetention retention() {
        return retention;
    }

    /**
     * Removes plans that no container uses, and the service's answers about them. Called during a
     * {@link PlanRetention#losing}.
     */
    public void remove(Collection<StoredPlan> unused) throws IOException {
        for (StoredPlan plan : unused) {
            plans.remove(plan.digest());
        }
        startups.layers().remove(unused.stream().map(StoredPlan::digest).toList());
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
        if (unsupported.isPresent()) {
            return new Refreshed(Optional.empty(), unsupported.get(), 0);
        }
        try {
            PlanLookup.Answer answer = manifest.isPresent()
                    ? supply.lookup().ask(manifest.get())
                    : supply.lookup().ask(top);
            String reason = answer.plan().isPresent() ? "" : answer.refusal().orElse(NO_PLAN);
            return new Refreshed(answer.plan(), reason, answer.wireBytes());
        } catch (IOException e) {
            String reason = Events.reason(e);
            Optional<StoredPlan> here = manifest.isPresent() ? claims.local(manifest.get()) : plans.find(top);
            here = here.filter(
                    plan -> endsAt(plan, top) && plans.images().has(plan.top().metadata()));
            supply.events()
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
        if (unsupported.isPresent()) {
            throw new IOException(unsupported.get());
        }
        Optional<StoredPlan> here = here(manifest);
        if (here.isPresent()) {
            return here.get();
        }
        supply.lookup().checkThere();
        PlanLookup.Answer answer = supply.lookup().askForCatalogue(manifest);
        return answer.plan().orElseThrow(() -> new IOException(answer.refusal().orElse(NO_PLAN)));
    }

    @Override
    public void claimed(ChainId chain) {
        plans.find(chain).filter(plan -> endsAt(plan, chain)).ifPresent(this::startup);
    }

    /** The pull of the objects that a start of the plan reads, started unless it runs; empty when all are present. */
    public Optional<Pull> startup(StoredPlan plan) {
        plans.uses().touched(plan.digest());
        return startups.forStart(plan, Optional.empty());
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
            supply.events().fallback(TOPIC, "chain " + chain + " is requested again: it was pruned meanwhile");
            return openOnce(chain, nested);
        }
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
        supply.lookup().needMetadata(layer);
        if (endsAt(plan, chain)) {
            if (startMode(plan) == StartMode.COMPLETE) {
                startups.await(plan);
            } else {
                startups.begin(plan);
            }
        }
        gate.await(supply.config().gateWait());
        RootLayers layers =
                mounts.open(layer, plans.images().path(layer.metadata()), nested, partialLayer(plan, chain, nested));
        supply.report(new PlanMounted(plan.digest()));
        return layers;
    }

    /** Unplanned layers go on overlays that many images share: their objects are whole. */
    private Optional<Path> partialLayer(StoredPlan plan, ChainId chain, boolean nested) {
        return nested || !endsAt(plan, chain) ? Optional.empty() : startups.partialLayer(plan);
    }

    /** Large objects of which containers of this plan have only parts. */
    public int partialObjects(StoredPlan plan) {
        return startups.layers().partialObjects(plan.digest());
    }

    /** Whether containers of this image wait for the whole prefetch list. */
    public boolean startsComplete(Refreshed refreshed) {
        return refreshed
                .plan()
                .filter(plan -> startMode(plan) == StartMode.COMPLETE)
                .isPresent();
    }

    private StartMode startMode(StoredPlan plan) {
        return plans.settings().startMode(plan.digest()).orElse(supply.config().start());
    }

    @Override
    public void starting(ChainId chain) {
        plans.find(chain).filter(plan -> endsAt(plan, chain)).ifPresent(plan -> {
            plans.uses().touched(plan.digest());
            supply.refresh(chain);
        });
    }

    @Override
    public void readingAll(ChainId chain) {
        plans.find(chain).ifPresent(startups::fetchAll);
    }

    @Override
    public void released(ChainId chain, BooleanSupplier unused) {
        plans.find(chain)
                .filter(plan -> endsAt(plan, chain))
                .ifPresent(plan -> plans.uses().released(plan.digest()));
        plans.all().stream()
                .flatMap(plan -> plan.layers().stream())
                .filter(layer -> layer.chainId().equals(chain))
                .distinct()
                .forEach(layer -> mounts.release(layer.metadata(), unused));
    }

    /** Whether the local plan of the image with this top was made from a trace; sends no request to the service. */
    public boolean isTracedHere(ChainId chain) {
        return plans.find(chain)
                .filter(plan -> endsAt(plan, chain))
                .filter(plan -> !plans.settings().of(plan.digest()).predicted())
                .isPresent();
    }

    private static boolean endsAt(StoredPlan plan, ChainId chain) {
        return plan.top().chainId().equals(chain);
    }

    /** Why planned images are handled as ordinary ones on this kernel; empty when they are not. */
    public Optional<String> unsupported() {
        return unsupported;
    }

    /** Requests the signatures that plans of this node need and do not have. Returns at once. */
    public void requestStatements() {
        supply.requestStatements();
    }

    /** Ends the work in the background; mounts stay. */
    @Override
    public void close() {
        supply.close();
    }
}
