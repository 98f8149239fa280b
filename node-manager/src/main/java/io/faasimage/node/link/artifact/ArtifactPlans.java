package io.faasimage.node.link.artifact;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.PrefixImage;
import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.node.link.service.OtherPlans;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The plans beside their images in OCI registries, as bundles: documents from an artifact's head, frames from its
 * packs. Frames that no pack has, and objects beyond the prefetch list, are not here; the image's layers have them.
 * Thread-safe.
 */
public final class ArtifactPlans implements OtherPlans {
    private final OciRegistry registry;
    private final PlanFacts facts;
    private final Discovery discovery;

    /** Artifacts in {@code registry}. */
    public ArtifactPlans(OciRegistry registry, PlanFacts facts) {
        this.registry = registry;
        this.facts = facts;
        this.discovery = new Discovery(registry, facts);
    }

    @Override
    public Optional<BundleStream> bundle(BundleRequest request) throws IOException {
        Optional<Digest> plan = Optional.ofNullable(request.plan()).map(Digest::parse);
        @Nullable IOException failure = null;
        for (Digest image : images(request, plan)) {
            try {
                Optional<FoundPlan> found =
                        discovery.find(image, plan, request.planWanted() || request.metadataWanted());
                if (found.isPresent()) {
                    return answer(request, found.get());
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.empty();
    }

    @Override
    public Optional<ObjectContent> metadata(Digest image) throws IOException {
        @Nullable IOException failure = null;
        for (Map.Entry<Digest, Digest> plan : facts.plansWith(image).entrySet()) {
            // A newer plan of the image has the same metadata images.
            for (Optional<Digest> which : List.of(Optional.of(plan.getKey()), Optional.<Digest>empty())) {
                try {
                    Optional<FoundPlan> found = discovery.find(plan.getValue(), which, false);
                    Optional<ObjectContent> content =
                            found.isPresent() ? metadata(found.get(), image) : Optional.empty();
                    if (content.isPresent()) {
                        return content;
                    }
                } catch (IOException e) {
                    failure = e;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.empty();
    }

    private Optional<ObjectContent> metadata(FoundPlan found, Digest image) throws IOException {
        Optional<PrefixImage> prefix = found.prefixes().stream()
                .filter(it -> it.metadata().equals(image))
                .findFirst();
        return prefix.isEmpty()
                ? Optional.empty()
                : Optional.of(new ObjectContent(
                        registry.open(found.reference(), prefix.get().blob().digest()), true));
    }

    private List<Digest> images(BundleRequest request, Optional<Digest> plan) throws IOException {
        if (request.image() != null) {
            return List.of(Digest.parse(request.image()));
        }
        return plan.isPresent()
                ? plan.flatMap(facts::imageOf).stream().toList()
                : facts.imagesOf(new ChainId(Digest.parse(String.valueOf(request.chain()))));
    }

    private Optional<BundleStream> answer(BundleRequest request, FoundPlan found) throws IOException {
        FoundPlan.@Nullable Documents documents = found.documents();
        Plan plan;
        if (documents != null) {
            plan = documents.plan();
        } else if (request.ranges() != null) {
            Optional<Plan> here = facts.load(found.plan());
            if (here.isEmpty()) {
                return Optional.empty();
            }
            plan = here.get();
        } else {
            return Optional.of(stream(found, new FrameBundle(_ -> {}, List.of(), _ -> InputStream.nullInputStream())));
        }
        PlanNumbers numbers = new PlanNumbers(plan);
        BitSet wanted = wanted(request, plan, numbers);
        BitSet left = (BitSet) wanted.clone();
        List<FrameReads> reads = new ArrayList<>();
        for (ArtifactPack pack : found.packs()) {
            reads.addAll(FrameReads.of(pack, FrameParts.of(plan, numbers, pack, left)));
        }
        if (request.ranges() != null && reads.isEmpty()) {
            return Optional.empty();
        }
        wanted.andNot(left);
        ImageReference reference = found.reference();
        Digest digest = found.plan();
        FrameBundle bundle = new FrameBundle(
                writer -> write(writer, request, documents, wanted), reads, read -> open(reference, digest, read));
        return Optional.of(stream(found, bundle));
    }

    /** The numbers that a request is for. */
    private static BitSet wanted(BundleRequest request, Plan plan, PlanNumbers numbers) {
        BitSet wanted = new BitSet();
        if (request.ranges() != null) {
            // What lies beyond the frames is a whole object, which no pack has.
            request.ranges().stream()
                    .filter(range -> range.from() < numbers.frames())
                    .forEach(range -> wanted.set(range.from(), Math.min(range.to(), numbers.frames())));
            return wanted;
        }
        Long limit = request.limit();
        // What this node holds of other plans is not known here: it requests what it lacks when it has the plan.
        boolean holdsNothing = request.have().isEmpty() && (limit == null || limit > 0);
        if (holdsNothing && !request.segments().isEmpty()) {
            int[] objects = IntStream.range(0, plan.startupCount())
                    .filter(i -> request.segments()
                            .contains(plan.objects().get(i).segment().label()))
                    .toArray();
            IntStream.of(numbers.wanted(objects)).forEach(wanted::set);
        }
        return wanted;
    }

    private static void write(
            BundleWriter writer, BundleRequest request, FoundPlan.@Nullable Documents documents, BitSet coming)
            throws IOException {
        if (documents == null) {
            return;
        }
        ArtifactHead head = documents.head();
        if (request.planWanted()) {
            writer.plan(head.plan());
        }
        if (!request.segments().isEmpty()) {
            writer.selected(Selection.ofIndexes(coming.stream().toArray()));
        }
        if (request.metadataWanted()) {
            PlanLayer top = documents.plan().layers().getLast();
            byte[] image = head.metadata();
            writer.metadata(top.metadata(), top.metadataSize(), image.length, new ByteArrayInputStream(image));
        }
    }

    private InputStream open(ImageReference reference, Digest plan, FrameReads read) throws IOException {
        try {
            return read.isWhole()
                    ? registry.open(reference, read.pack().blob())
                    : registry.open(reference, read.pack().blob(), read.from(), read.to());
        } catch (OciException e) {
            if (e.kind() == OciException.Kind.NOT_FOUND) {
                // The artifact was deleted, or collected in part. The image's layers have everything.
                discovery.forget(plan);
            }
            throw e;
        }
    }

    private static BundleStream stream(FoundPlan found, FrameBundle bundle) {
        return new BundleStream(
                bundle,
                Optional.of(found.plan().toString()),
                Optional.of(found.statement()),
                Optional.empty(),
                Optional.empty(),
                found.predicted(),
                -1,
                Optional.of(found.way()));
    }
}
