package io.faasimage.registry.store.bundle;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanPart;
import io.faasimage.registry.store.plan.PrefetchLists;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
        int[] objects = layout.index().missing(segments, from, to, startups.of(held(request.have()), layout.index()));
        int[] numbers = layout.numbers().wanted(objects);
        List<PlanPart> parts = layout.parts(numbers);
        Long limit = request.limit();
        List<PlanPart> sent = limit == null ? parts : within(limit, parts);
        int count = sent.stream().mapToInt(PlanPart::numbers).sum();
        startups.sent(layout);
        return new Bundle(
                Optional.empty(),
                Optional.of(layout),
                request.planWanted(),
                Optional.of(Selection.ofIndexes(Arrays.copyOf(numbers, count))),
                request.metadataWanted(),
                Optional.empty(),
                sent,
                0);
    }

    private static List<PlanPart> within(long limit, List<PlanPart> parts) {
        int count = 0;
        long left = limit;
        while (count < parts.size()) {
            long next = parts.get(count).stored().storedLength();
            if (left <= 0 || (next > left && count > 0)) {
                break;
            }
            left -= next;
            count++;
        }
        return parts.subList(0, count);
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
        int count = layout.numbers().count();
        IntStream.Builder numbers = IntStream.builder();
        long wanted = 0;
        for (BundleRequest.Range range : ranges) {
            if (range.to() > count) {
                throw ProblemException.badRequest("'ranges' has [" + range.from() + ", " + range.to() + "], but plan "
                        + layout.digest() + " has " + count + " numbers; request those below that");
            }
            wanted += range.to() - range.from();
            if (wanted > count) {
                throw ProblemException.badRequest("'ranges' requests more than the " + count + " numbers of plan "
                        + layout.digest() + "; request each once");
            }
            IntStream.range(range.from(), range.to()).forEach(numbers::add);
        }
        List<PlanPart> parts = layout.parts(numbers.build().toArray());
        PlanPart first = parts.getFirst();
        if (offset > 0 && (!first.isWhole() || offset >= first.stored().storedLength())) {
            throw ProblemException.badRequest("'offset' is " + offset + ", but the first object has "
                    + (first.isWhole() ? first.stored().storedLength() + " stored bytes" : "frames")
                    + "; do not request what is already complete");
        }
        return new Bundle(
                Optional.empty(), Optional.of(layout), false, Optional.empty(), false, Optional.empty(), parts, offset);
    }
}
