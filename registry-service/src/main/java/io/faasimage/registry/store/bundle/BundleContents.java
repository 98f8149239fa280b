package io.faasimage.registry.store.bundle;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.object.StoredObject;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PrefetchLists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;

/** The choice of a plan's objects for a request. Thread-safe. */
@Component
class BundleContents {
    private final PrefetchLists startups;
    private final int maxHave;

    BundleContents(PrefetchLists startups, RegistrySettings settings) {
        this.startups = startups;
        this.maxHave = settings.maxHave();
    }

    /** The bundle of a plan for a request. */
    Bundle of(PlanLayout layout, BundleRequest request) {
        List<BundleRequest.Range> ranges = request.ranges();
        return ranges == null ? missing(layout, request) : exact(layout, ranges, request.offset());
    }

    private Bundle missing(PlanLayout layout, BundleRequest request) {
        Set<Segment> segments = segments(request.segments());
        if (segments.isEmpty()) {
            return Bundle.of(Optional.empty(), Optional.of(layout), request.planWanted(), request.metadataWanted());
        }
        int startup = layout.plan().startupCount();
        int from = request.set() == ObjectSet.REST ? startup : 0;
        int to = request.set() == ObjectSet.STARTUP ? startup : layout.count();
        int[] missing = layout.index().missing(segments, from, to, startups.of(held(request.have()), layout.index()));
        if (request.pieces() && !layout.plan().pieced().isEmpty()) {
            missing = pieces(layout.plan(), missing);
        }
        Long limit = request.limit();
        int[] sent = limit == null ? missing : within(limit, missing, layout);
        startups.sent(layout);
        return new Bundle(
                Optional.empty(),
                Optional.of(layout),
                request.planWanted(),
                Optional.of(Selection.ofIndexes(sent)),
                request.metadataWanted(),
                Optional.empty(),
                Arrays.stream(sent).mapToObj(layout::object).toList(),
                0);
    }

    /** The pieces that starts read of the missing objects that have pieces: a container's mount waits for these. */
    private static int[] pieces(Plan plan, int[] missing) {
        Set<Integer> objects = Arrays.stream(missing).boxed().collect(Collectors.toSet());
        IntStream.Builder pieces = IntStream.builder();
        int next = plan.objects().size();
        for (PiecedObject large : plan.pieced()) {
            if (objects.contains(large.object())) {
                IntStream.range(next, next + large.startupCount()).forEach(pieces::add);
            }
            next += large.pieces().size();
        }
        int[] found = pieces.build().toArray();
        return found.length == 0 ? missing : found;
    }

    private static int[] within(long limit, int[] missing, PlanLayout layout) {
        int count = 0;
        long left = limit;
        while (count < missing.length) {
            long next = layout.object(missing[count]).storedLength();
            if (left <= 0 || (next > left && count > 0)) {
                break;
            }
            left -= next;
            count++;
        }
        return Arrays.copyOf(missing, count);
    }

    private static Set<Segment> segments(List<String> labels) {
        Set<Segment> segments = EnumSet.noneOf(Segment.class);
        for (String label : labels) {
            segments.add(Arrays.stream(Segment.values())
                    .filter(segment -> segment.label().equalsIgnoreCase(label))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.badRequest(
                            "unknown segment '" + label + "'; known are base, lib and func")));
        }
        return segments;
    }

    private List<Digest> held(List<String> have) {
        if (have.size() > maxHave) {
            throw ProblemException.badRequest("'have' names " + have.size() + " plans; it may name " + maxHave
                    + ", name those that share most with the requested one");
        }
        return have.stream()
                .distinct()
                .map(plan -> BundleService.digest(plan, "have"))
                .toList();
    }

    private static Bundle exact(PlanLayout layout, List<BundleRequest.Range> ranges, long offset) {
        int count = layout.requestable();
        List<StoredObject> objects = new ArrayList<>();
        for (BundleRequest.Range range : ranges) {
            if (range.to() > count) {
                throw ProblemException.badRequest("'ranges' has [" + range.from() + ", " + range.to() + "], but plan "
                        + layout.digest() + " has " + count + " objects; request indexes below that");
            }
            if (range.to() - range.from() > count - objects.size()) {
                throw ProblemException.badRequest("'ranges' requests more objects than the " + count + " of plan "
                        + layout.digest() + "; request each once");
            }
            objects.addAll(layout.objects(range.from(), range.to()));
        }
        long first = objects.getFirst().storedLength();
        if (offset >= first) {
            throw ProblemException.badRequest("'offset' is " + offset + ", but the first object has " + first
                    + " stored bytes; do not request an object that is already complete");
        }
        return new Bundle(
                Optional.empty(),
                Optional.of(layout),
                false,
                Optional.empty(),
                false,
                Optional.empty(),
                objects,
                offset);
    }
}
