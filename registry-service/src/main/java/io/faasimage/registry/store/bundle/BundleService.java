package io.faasimage.registry.store.bundle;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.connection.BodyTarget;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanLayouts;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.plan.PlannedStacks;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The maker of bundles: it finds the plan of a request, selects the objects, and checks that they exist. */
@Service
class BundleService {
    private final PlanTable plans;
    private final PlannedStacks stacks;
    private final PlanLayouts layouts;
    private final BundleContents contents;
    private final BundleSender sender;
    private final PlanDeltas deltas;

    BundleService(
            PlanTable plans,
            PlannedStacks stacks,
            PlanLayouts layouts,
            BundleContents contents,
            BundleSender sender,
            PlanDeltas deltas) {
        this.deltas = deltas;
        this.plans = plans;
        this.stacks = stacks;
        this.layouts = layouts;
        this.contents = contents;
        this.sender = sender;
    }

    /**
     * The bundle of a request; everything in it is known to be stored.
     *
     * @param bases plans that the node has with their metadata images
     */
    public BundleSender.Ready prepare(BundleRequest request, List<Digest> bases) {
        try {
            return preparedOnce(request, bases);
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            // Objects may have another place since the layout was read.
            return preparedOnce(request, bases);
        }
    }

    /**
     * Sends a prepared bundle. When a file of it turns out to be damaged, the next request looks its objects' places up
     * anew.
     *
     * @throws IOException when the client is gone
     * @throws ProblemException when the store of blobs is gone
     */
    public void send(BundleSender.Ready ready, BodyTarget target) throws IOException {
        try {
            sender.send(ready, target);
        } catch (ProblemException e) {
            forgetDamaged(ready.bundle(), e);
            throw e;
        }
    }

    private BundleSender.Ready preparedOnce(BundleRequest request, List<Digest> bases) {
        Bundle bundle = withDeltas(bundle(request), bases);
        try {
            return sender.prepare(bundle);
        } catch (ProblemException e) {
            forgetDamaged(bundle, e);
            throw e;
        }
    }

    private Bundle withDeltas(Bundle bundle, List<Digest> bases) {
        return bundle.plan() && bundle.metadata()
                ? bundle.layout()
                        .flatMap(layout -> deltas.of(layout, bases))
                        .map(bundle::with)
                        .orElse(bundle)
                : bundle;
    }

    /**
     * A store that is away or busy proves nothing about places, and without the layout the plan would have to be read
     * from there.
     */
    private void forgetDamaged(Bundle bundle, ProblemException e) {
        if (e.kind() == ProblemKind.STORAGE) {
            bundle.layout().ifPresent(layout -> layouts.forget(layout.digest()));
        }
    }

    private Bundle bundle(BundleRequest request) {
        if (request.plan() != null) {
            Digest plan = digest(request.plan(), "plan");
            return contents.of(layout(Optional.of(plan), "with the digest " + plan), request);
        }
        if (request.image() != null) {
            Digest image = digest(request.image(), "image");
            Optional<Digest> plan = plans.servedOf(image);
            List<ChainId> shown = plan.isEmpty() && request.prefix() == BundleRequest.Prefix.CHAINS
                    ? stacks.shown(image, BundleWriter.MAX_CHAINS)
                    : List.of();
            return shown.isEmpty()
                    ? contents.of(layout(plan, "of the image " + image), request)
                    : Bundle.of(Optional.of(shown), Optional.empty(), false, false);
        }
        ChainId chain = new ChainId(digest(String.valueOf(request.chain()), "chain"));
        return contents.of(layout(plans.servedFor(chain), "that contains the chain " + chain), request);
    }

    private PlanLayout layout(Optional<Digest> plan, String which) {
        return plan.flatMap(layouts::find).orElseThrow(() -> noPlan(which));
    }

    private static ProblemException noPlan(String which) {
        return ProblemException.notFound("there is no plan " + which
                + "; a first start of the image must be traced, GET /v1/images shows its state");
    }

    static Digest digest(String text, String field) {
        try {
            return Digest.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "'" + field + "': " + e.getMessage() + "; write sha256: and 64 hex digits",
                    e);
        }
    }
}
