package io.faasimage.node.rehearsal;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A plan of contents that nobody has: many small ones, and one that is large enough to be streamed.
 *
 * @param plan all of whose objects are in its start-up set
 * @param stored zstd frames of its objects and its metadata image
 */
record MadeUpPlan(Plan plan, Map<Digest, byte[]> stored) {
    private static final int SMALL = 300;
    private static final int LARGEST_SMALL = 48 << 10;
    private static final int LARGE = 5 << 20;
    private static final int METADATA = 256 << 10;

    MadeUpPlan {
        stored = Map.copyOf(stored);
    }

    static MadeUpPlan make(long seed) {
        Random random = new Random(seed);
        Map<Digest, byte[]> stored = new LinkedHashMap<>();
        List<PlanObject> objects = new ArrayList<>();
        for (int i = 0; i < SMALL; i++) {
            int size = 1 + random.nextInt(LARGEST_SMALL);
            objects.add(new PlanObject(add(stored, random, size), size, Segment.BASE, -1));
        }
        objects.add(new PlanObject(add(stored, random, LARGE), LARGE, Segment.FUNC, -1));
        Digest metadata = add(stored, random, METADATA);
        ChainId chain = ChainId.ofBase(Digest.of(new byte[] {(byte) seed}));
        Digest image = Digest.of(chain.digest().bytes());
        Plan plan = new Plan(
                image, image, List.of(new PlanLayer(chain, metadata, METADATA)), List.of(), objects, objects.size());
        return new MadeUpPlan(plan, stored);
    }

    private static Digest add(Map<Digest, byte[]> stored, Random random, int size) {
        byte[] content = new byte[size];
        // Content that does not compress comes in the frames' largest form, as libraries do.
        random.nextBytes(content);
        Digest digest = Digest.of(content);
        stored.put(digest, Zstd.compress(content, 1));
        return digest;
    }
}
