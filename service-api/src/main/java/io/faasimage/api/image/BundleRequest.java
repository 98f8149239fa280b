package io.faasimage.api.image;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Segment;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /v1/bundles}. Exactly one of {@code chain}, {@code image} and {@code plan} is given. With
 * {@code ranges} it requests exactly these objects of a plan; without, those of a plan that this node does not hold.
 *
 * @param chain chain ID: the newest plan whose top it is, else the newest that contains it
 * @param image manifest digest: its newest plan
 * @param plan digest of a plan
 * @param segments labels of the segments whose objects are wanted; empty for none
 * @param planWanted whether the plan comes first
 * @param metadataWanted whether the metadata image of the plan's top follows
 * @param set which objects of these segments
 * @param have digests of plans whose prefetch lists this node has as far as starts read them
 * @param limit sum of the objects' stored sizes that is not to be exceeded, bytes; one object comes in any case unless
 *     it is 0; null for no limit
 * @param prefix the answer when the image has no plan
 * @param ranges of {@link io.faasimage.format.plan.PlanNumbers}, sent in the order requested; null without
 * @param offset bytes that this node already has of the stored form of the first object, which is beyond the prefetch
 *     list; only with ranges
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BundleRequest(
        @Nullable String chain,
        @Nullable String image,
        @Nullable String plan,
        List<String> segments,
        boolean planWanted,
        boolean metadataWanted,
        @Nullable ObjectSet set,
        List<String> have,
        @Nullable Long limit,
        @Nullable Prefix prefix,
        @Nullable List<Range> ranges,
        long offset) {
    /** Most ranges of one request. */
    public static final int MAX_RANGES = 4096;

    /** Copies the lists, fills in absent fields, and checks that the request has one of its two forms. */
    public BundleRequest {
        segments = orEmpty(segments);
        have = orEmpty(have);
        ranges = ranges == null ? null : List.copyOf(ranges);
        set = set == null ? ObjectSet.STARTUP : set;
        prefix = prefix == null ? Prefix.NEWEST : prefix;
        int names = (chain == null ? 0 : 1) + (image == null ? 0 : 1) + (plan == null ? 0 : 1);
        if (names != 1) {
            throw new IllegalArgumentException("give exactly one of 'chain', 'image' and 'plan'");
        }
        if (limit != null && limit < 0) {
            throw new IllegalArgumentException("'limit' is " + limit + "; leave it out for no limit");
        }
        checkForm(plan, segments, planWanted || metadataWanted, have, limit, ranges, offset);
    }

    private static void checkForm(
            @Nullable String plan,
            List<String> segments,
            boolean documents,
            List<String> have,
            @Nullable Long limit,
            @Nullable List<Range> ranges,
            long offset) {
        if (ranges == null) {
            if (offset != 0) {
                throw new IllegalArgumentException("'offset' goes with 'ranges'");
            }
            return;
        }
        if (plan == null || documents || !segments.isEmpty() || !have.isEmpty() || limit != null) {
            throw new IllegalArgumentException("'ranges' goes with 'plan' and 'offset' alone");
        }
        if (ranges.isEmpty() || ranges.size() > MAX_RANGES) {
            throw new IllegalArgumentException("'ranges' has " + ranges.size() + " ranges; it may have 1 to "
                    + MAX_RANGES + ", request the others afterwards");
        }
        if (offset < 0) {
            throw new IllegalArgumentException("'offset' is " + offset + "; it may not be negative");
        }
    }

    /** The objects of a plan that are requested. */
    public enum ObjectSet {
        STARTUP,
        REST,
        ALL
    }

    /** The answer for an image that has no plan. */
    public enum Prefix {
        /** The fact alone that there is none. */
        NEWEST,
        /** The chains of its layers that its OCI registry has shown to have and that a plan has, too. */
        CHAINS
    }

    /**
     * Neighbouring numbers of a plan, {@code [from, to]} in JSON.
     *
     * @param from index of the first one
     * @param to index after the last one
     */
    public record Range(int from, int to) {
        /** Checks that it is neither negative nor empty. */
        public Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException(
                        "[" + from + ", " + to + "] is not a range; give the first index and the one after the last");
            }
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Range of(List<Integer> pair) {
            if (pair.size() != 2) {
                throw new IllegalArgumentException("a range has two indexes, not " + pair.size());
            }
            return new Range(pair.getFirst(), pair.getLast());
        }

        @JsonValue
        List<Integer> pair() {
            return List.of(from, to);
        }
    }

    private static List<String> orEmpty(@Nullable List<String> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    private static List<String> texts(Collection<Digest> digests) {
        return digests.stream().map(Digest::toString).toList();
    }

    /** Requests the plan of a chain and its metadata image, without objects. */
    public static BundleRequest planOf(ChainId chain) {
        return discovery(chain, Set.of(), List.of(), null, Prefix.NEWEST);
    }

    /** Requests the plan of a chain, its metadata image, and the missing objects of the prefetch list, all in one. */
    public static BundleRequest discovery(
            ChainId chain, Set<Segment> segments, Collection<Digest> have, @Nullable Long limit, Prefix prefix) {
        return new BundleRequest(
                chain.toString(),
                null,
                null,
                labels(segments),
                true,
                true,
                ObjectSet.STARTUP,
                texts(have),
                limit,
                prefix,
                null,
                0);
    }

    /** Requests objects of one segment of a known plan. */
    public static BundleRequest objects(Digest plan, Segment segment, ObjectSet set, Collection<Digest> have) {
        List<String> segments = List.of(segment.label());
        return new BundleRequest(
                null, null, plan.toString(), segments, false, false, set, texts(have), null, null, null, 0);
    }

    /**
     * Requests exactly these numbers of a plan, in this order; of an object beyond the prefetch list that comes first,
     * the stored form from {@code offset} on.
     */
    public static BundleRequest exact(Digest plan, List<IndexRange> ranges, long offset) {
        List<Range> asked = ranges.stream()
                .map(range -> new Range(range.from(), range.to()))
                .toList();
        return new BundleRequest(
                null, null, plan.toString(), List.of(), false, false, null, List.of(), null, null, asked, offset);
    }

    /** Requests nothing of a plan but the headers of the answer. */
    public static BundleRequest headers(Digest plan) {
        return new BundleRequest(
                null, null, plan.toString(), List.of(), false, false, null, List.of(), 0L, null, null, 0);
    }

    private static List<String> labels(Set<Segment> segments) {
        return segments.isEmpty()
                ? List.of()
                : EnumSet.copyOf(segments).stream().map(Segment::label).toList();
    }
}
