package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.start.StartEvent.Unplanned;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.lookup.PlanLookup;
import io.faasimage.node.plans.lookup.PlanQuestion;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The check whether a layer may be claimed, that is, need not be fetched by the client that pulls it. Chain IDs are
 * only claims of an image's configuration, so the check relies on the proof in the manifest (decision 24). Thread-safe.
 */
final class ClaimCheck {
    private static final String TOPIC = "plan";
    /** How long an answer that an image is not planned stands for the next layers of its pull. */
    private static final Duration UNKNOWN = Duration.ofSeconds(1);

    private final PlanStore plans;
    private final PlanLookup lookup;
    private final StartEvents starts;
    private final PulledManifests manifests;
    private final GateReadiness gate;
    private final Optional<String> unsupported;
    private final Duration gateWait;
    private final Events events;
    /** Planned layers of images without a plan of their own, as the service has just answered. */
    private final Recent<Part> shown;
    /** Manifests that the service has just answered not to know. */
    private final Recent<Digest> unknown = new Recent<>(UNKNOWN);

    /** Manifests whose plans were just refused. */
    private final Recent<Digest> refused;

    private final AtomicReference<@Nullable ChainId> lastRefused = new AtomicReference<>();

    private record Part(Digest manifest, ChainId chain) {}

    ClaimCheck(PlannedImages.Parts parts, PlanLookup lookup) {
        this.plans = parts.plans();
        this.lookup = lookup;
        this.starts = parts.starts();
        this.manifests = parts.manifests();
        this.gate = parts.gate();
        this.unsupported = parts.unsupported();
        this.gateWait = parts.config().gateWait();
        this.events = parts.events();
        this.shown = new Recent<>(parts.config().answerAge());
        this.refused = new Recent<>(parts.config().answerAge());
    }

    /** Whether a layer can be claimed, as {@link LazyImages#claim} says. */
    boolean isPlanned(WantedLayer layer) {
        ChainId chain = layer.chain();
        if (unsupported.isPresent()) {
            return refused(chain, unsupported.get());
        }
        List<Digest> pulled;
        try {
            pulled = manifests.of(layer);
        } catch (IOException e) {
            return refused(chain, "the manifest of the pulled image is unknown: " + Events.reason(e));
        }
        for (Digest manifest : pulled) {
            if (!isPartOf(manifest, chain)) {
                return false;
            }
        }
        // A layer that is claimed cannot be fetched later, and without the gate nothing could start on it.
        Optional<String> down = gate.downFor(gateWait);
        return down.isEmpty() || refused(chain, down.get());
    }

    private boolean refused(ChainId chain, String reason) {
        starts.accept(new Unplanned(chain, reason));
        if (!chain.equals(lastRefused.getAndSet(chain))) {
            events.fallback(TOPIC, "chain " + chain + " is pulled layer by layer: " + reason);
        }
        return false;
    }

    /**
     * Whether the image with this manifest has a planned layer {@code chain}. Chain IDs are only claims of an image's
     * configuration: the claim holds only for manifests whose layers the service has read, or was shown.
     */
    private boolean isPartOf(Digest manifest, ChainId chain) {
        if (local(manifest).filter(plan -> plan.layer(chain).isPresent()).isPresent()) {
            return true;
        }
        try {
            boolean known = shown.contains(new Part(manifest, chain))
                    || (!unknown.contains(manifest)
                            && !refused.contains(manifest)
                            && isKnownToRegistry(manifest, chain));
            if (known && !hasPlanOf(manifest, chain)) {
                // Another image's plan has the layer: a claimed layer must be mountable without the service.
                lookup.needMetadata(plan(chain).layer(chain).orElseThrow());
            }
            if (!known) {
                starts.accept(new Unplanned(
                        chain, refused.contains(manifest) ? PlannedImages.REFUSED : PlannedImages.NO_PLAN));
            }
            return known;
        } catch (IOException e) {
            starts.accept(new Unplanned(chain, "the request to the service failed: " + Events.reason(e)));
            events.fallback(TOPIC, "chain " + chain + " is treated as unplanned: " + Events.reason(e));
            return false;
        }
    }

    private boolean hasPlanOf(Digest manifest, ChainId chain) {
        return plans.of(manifest).stream().anyMatch(plan -> plan.layer(chain).isPresent());
    }

    /** A plan of the image with this manifest whose root file system can be mounted without the service. */
    Optional<StoredPlan> local(Digest manifest) {
        return plans.of(manifest).stream()
                .filter(plan -> plans.images().has(plan.top().metadata()))
                .findAny();
    }

    private boolean isKnownToRegistry(Digest manifest, ChainId chain) throws IOException {
        lookup.checkThere();
        PlanLookup.Answer answer = lookup.ask(PlanQuestion.ofImage(manifest));
        shown.add(answer.chains().stream().map(c -> new Part(manifest, c)).toList());
        if (answer.refusal().isPresent()) {
            refused.add(List.of(manifest));
            return false;
        }
        boolean known = answer.chains().contains(chain)
                || answer.plan().flatMap(plan -> plan.layer(chain)).isPresent();
        if (!known) {
            unknown.add(List.of(manifest));
        }
        return known;
    }

    /** The plan that contains the chain; fetched if the service has only confirmed that there is one. */
    StoredPlan plan(ChainId chain) throws IOException {
        Optional<StoredPlan> here = plans.find(chain);
        if (here.isPresent()) {
            return here.get();
        }
        PlanLookup.Answer answer = lookup.ask(PlanQuestion.newest(chain));
        return answer.plan()
                .orElseThrow(() -> new IOException("no plan on this node contains chain " + chain
                        + answer.refusal().map(reason -> ", and " + reason).orElse("")
                        + "; remove the image and pull it again"));
    }

    /** Discards the service's confirmations after plans were removed, so that they are requested again. */
    void forget() {
        shown.clear();
        refused.clear();
    }
}
