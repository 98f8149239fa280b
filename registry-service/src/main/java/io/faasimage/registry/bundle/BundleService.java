package io.faasimage.registry.bundle;

import io.faasimage.api.BundleRequest;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.object.StoredFrames;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanLayout;
import io.faasimage.registry.plan.PlanLayouts;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.plan.PlannedStacks;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Makes bundles: picks what a request gets, checks that it is there, and sends it from the packs as it lies. */
@Service
public class BundleService {
    private static final Logger LOG = LoggerFactory.getLogger(BundleService.class);
    private static final int BUFFER_BYTES = 64 * 1024;

    private final PlanTable plans;
    private final PlannedStacks stacks;
    private final PlanLayouts layouts;
    private final BundleContents contents;

    BundleService(PlanTable plans, PlannedStacks stacks, PlanLayouts layouts, BundleContents contents) {
        this.plans = plans;
        this.stacks = stacks;
        this.layouts = layouts;
        this.contents = contents;
    }

    /** What the request gets; everything in it is known to be stored. */
    public Bundle prepare(BundleRequest request) {
        Bundle bundle = bundle(request);
        List<StoredObject> sent = new ArrayList<>(bundle.objects());
        bundle.layout().filter(_ -> bundle.metadata()).ifPresent(layout -> sent.add(layout.metadata()));
        try {
            StoredFrames.check(sent);
        } catch (ProblemException e) {
            bundle.layout().ifPresent(layout -> layouts.forget(layout.digest()));
            throw e;
        }
        return bundle;
    }

    private Bundle bundle(BundleRequest request) {
        if (request.plan() != null) {
            Digest plan = digest(request.plan(), "plan");
            return contents.of(layout(Optional.of(plan), "with the digest " + plan), request);
        }
        if (request.image() != null) {
            Digest image = digest(request.image(), "image");
            return contents.of(layout(plans.newestOf(image), "of the image " + image), request);
        }
        ChainId chain = new ChainId(digest(String.valueOf(request.chain()), "chain"));
        if (request.prefix() == BundleRequest.Prefix.CHAINS && !plans.isTop(chain)) {
            return above(chain);
        }
        return contents.of(layout(plans.newestFor(chain), "that contains the chain " + chain), request);
    }

    private Bundle above(ChainId chain) {
        List<List<ChainId>> above = stacks.above(chain);
        if (above.isEmpty()) {
            throw noPlan("that contains the chain " + chain);
        }
        List<ChainId> chains = PlannedStacks.layers(above, BundleWriter.MAX_CHAINS);
        if (above.size() > 1) {
            return Bundle.of(Optional.of(chains), Optional.empty(), false, false);
        }
        ChainId top = above.getFirst().getLast();
        PlanLayout only = layout(plans.newestFor(top), "of the chain " + top);
        return Bundle.of(Optional.of(chains), Optional.of(only), true, true);
    }

    private PlanLayout layout(Optional<Digest> plan, String which) {
        return plan.flatMap(layouts::find).orElseThrow(() -> noPlan(which));
    }

    private static ProblemException noPlan(String which) {
        return ProblemException.notFound("there is no plan " + which
                + "; a first start of the image must be traced, GET /v1/images shows how far it is");
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

    /**
     * Sends the bundle.
     *
     * @throws ProblemException when a pack cannot be read after all: the bundle has no end then
     * @throws IOException when the client is gone
     */
    public void send(Bundle bundle, OutputStream target) throws IOException {
        OutputStream out = new BufferedOutputStream(target, BUFFER_BYTES);
        BundleWriter writer = new BundleWriter(out);
        try (StoredFrames frames = new StoredFrames()) {
            sendDocuments(bundle, writer);
            sendMetadata(bundle, writer, frames, out);
            long offset = bundle.offset();
            for (StoredObject object : bundle.objects()) {
                writer.objectHeader(object.digest(), object.rawSize(), object.storedLength(), offset);
                frames.copy(object, offset, out);
                offset = 0;
            }
            writer.end();
        } catch (ProblemException e) {
            bundle.layout().ifPresent(layout -> {
                layouts.forget(layout.digest());
                LOG.error("bundle of plan {} cut off: {}", layout.digest(), e.getMessage());
            });
            throw e;
        }
        out.flush();
    }

    private static void sendDocuments(Bundle bundle, BundleWriter writer) throws IOException {
        if (bundle.chains().isPresent()) {
            writer.chains(bundle.chains().get());
        }
        if (bundle.plan() && bundle.layout().isPresent()) {
            writer.plan(bundle.layout().get().encoded());
        }
        if (bundle.selection().isPresent()) {
            writer.selected(bundle.selection().get());
        }
    }

    private static void sendMetadata(Bundle bundle, BundleWriter writer, StoredFrames frames, OutputStream out)
            throws IOException {
        if (bundle.metadata() && bundle.layout().isPresent()) {
            StoredObject metadata = bundle.layout().get().metadata();
            writer.metadataHeader(metadata.digest(), metadata.rawSize(), metadata.storedLength());
            frames.copy(metadata, 0, out);
            out.flush();
        }
    }
}
