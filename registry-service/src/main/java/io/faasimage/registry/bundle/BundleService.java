package io.faasimage.registry.bundle;

import io.faasimage.api.BundleRequest;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.object.StoredFrames;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanLayout;
import io.faasimage.registry.plan.PlanLayouts;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Makes bundles: picks what a request gets, checks that it is there, and sends it from the packs as it lies. */
@Service
public class BundleService {
    private static final Logger LOG = LoggerFactory.getLogger(BundleService.class);
    private static final int BUFFER_BYTES = 64 * 1024;

    private final PlanTable plans;
    private final PlanLayouts layouts;
    private final int maxHave;

    BundleService(PlanTable plans, PlanLayouts layouts, RegistrySettings settings) {
        this.plans = plans;
        this.layouts = layouts;
        this.maxHave = settings.maxHave();
    }

    /** What the request gets; everything in it is known to be stored. */
    public Bundle prepare(BundleRequest request) {
        PlanLayout layout = layout(request);
        List<StoredObject> objects = select(layout, request);
        List<StoredObject> sent = new ArrayList<>(objects);
        if (request.metadataWanted()) {
            sent.add(layout.metadata());
        }
        try {
            StoredFrames.check(sent);
        } catch (ProblemException e) {
            layouts.forget(layout.digest());
            throw e;
        }
        return new Bundle(layout, request.planWanted(), request.metadataWanted(), objects);
    }

    private PlanLayout layout(BundleRequest request) {
        if (request.plan() != null) {
            Digest plan = digest(request.plan(), "plan");
            return layouts.find(plan).orElseThrow(() -> noPlan("with the digest " + plan));
        }
        ChainId chain = new ChainId(digest(String.valueOf(request.chain()), "chain"));
        return plans.newestFor(chain)
                .flatMap(layouts::find)
                .orElseThrow(() -> noPlan("that contains the chain " + chain));
    }

    private static ProblemException noPlan(String which) {
        return ProblemException.notFound("there is no plan " + which
                + "; a first start of the image must be traced, GET /v1/images shows how" + " far it is");
    }

    private static Digest digest(String text, String field) {
        try {
            return Digest.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "'" + field + "': " + e.getMessage() + "; write sha256: and 64 hex digits",
                    e);
        }
    }

    private List<StoredObject> select(PlanLayout layout, BundleRequest request) {
        Set<Segment> segments = segments(request.segments());
        int startup = layout.plan().startupCount();
        boolean first = request.set() == BundleRequest.ObjectSet.STARTUP;
        int to = first ? startup : layout.objects().size();
        Map<Digest, StoredObject> selected = new LinkedHashMap<>();
        for (int i = first ? 0 : startup; i < to; i++) {
            PlanObject object = layout.plan().objects().get(i);
            if (segments.contains(object.segment())) {
                selected.put(object.digest(), layout.objects().get(i));
            }
        }
        removeHeld(request.have(), selected);
        return new ArrayList<>(selected.values());
    }

    private static Set<Segment> segments(List<String> labels) {
        Set<Segment> segments = EnumSet.noneOf(Segment.class);
        for (String label : labels) {
            segments.add(Arrays.stream(Segment.values())
                    .filter(segment -> segment.label().equalsIgnoreCase(label))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.badRequest(
                            "there is no segment '" + label + "'; there are base, lib and func")));
        }
        return segments;
    }

    private void removeHeld(List<String> have, Map<Digest, StoredObject> selected) {
        if (have.size() > maxHave) {
            throw ProblemException.badRequest("'have' names " + have.size() + " plans; it may name " + maxHave
                    + ", name those that share most with the wanted one");
        }
        for (String plan : have) {
            layouts.startup(digest(plan, "have")).forEach(selected::remove);
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
            if (bundle.plan()) {
                writer.plan(bundle.layout().encoded());
            }
            if (bundle.metadata()) {
                StoredObject metadata = bundle.layout().metadata();
                writer.metadataHeader(metadata.digest(), metadata.rawSize(), metadata.storedLength());
                frames.copy(metadata, out);
                out.flush();
            }
            for (StoredObject object : bundle.objects()) {
                writer.objectHeader(object.digest(), object.rawSize(), object.storedLength());
                frames.copy(object, out);
            }
            writer.end();
        } catch (ProblemException e) {
            layouts.forget(bundle.layout().digest());
            LOG.error("bundle of plan {} cut off: {}", bundle.layout().digest(), e.getMessage());
            throw e;
        }
        out.flush();
    }
}
