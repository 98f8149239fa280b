package io.faasimage.api;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /v1/bundles}. Exactly one of {@code chain} and {@code plan} is given.
 *
 * @param chain chain ID: the plan whose top it is, else the newest plan that contains it
 * @param plan digest of a plan
 * @param segments labels of the segments whose objects are wanted; empty for none
 * @param planWanted whether the plan comes first
 * @param metadataWanted whether the metadata image of the plan's top follows
 * @param set which objects: the start-up set or the rest
 * @param have digests of plans whose start-up sets this node holds completely
 */
public record BundleRequest(
        @Nullable String chain,
        @Nullable String plan,
        List<String> segments,
        boolean planWanted,
        boolean metadataWanted,
        @Nullable ObjectSet set,
        List<String> have) {
    /** Copies the lists; absent ones are empty, and an absent set is the start-up set. */
    public BundleRequest {
        segments = orEmpty(segments);
        have = orEmpty(have);
        set = set == null ? ObjectSet.STARTUP : set;
        if ((chain == null) == (plan == null)) {
            throw new IllegalArgumentException("give either 'chain' or 'plan'");
        }
    }

    /** Which objects of a plan. */
    public enum ObjectSet {
        STARTUP,
        REST
    }

    private static List<String> orEmpty(@Nullable List<String> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /** Asks for the plan of a chain and its metadata image, without objects. */
    public static BundleRequest planOf(ChainId chain) {
        return new BundleRequest(chain.toString(), null, List.of(), true, true, ObjectSet.STARTUP, List.of());
    }

    /** Asks for objects of one segment. */
    public static BundleRequest objects(Digest plan, Segment segment, ObjectSet set, Collection<Digest> have) {
        return new BundleRequest(
                null,
                plan.toString(),
                List.of(segment.label()),
                false,
                false,
                set,
                have.stream().map(Digest::toString).toList());
    }
}
