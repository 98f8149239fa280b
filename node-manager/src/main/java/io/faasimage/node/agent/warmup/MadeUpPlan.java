package io.faasimage.node.agent.warmup;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A plan of made-up contents, of the size of a usual function's: many small ones, one that is large enough to be
 * streamed, some that a start waits for one by one, and the names of thousands that no start reads.
 *
 * @param plan of an image with four layers
 * @param stored files with the zstd frames of the objects of its prefetch list, and of its metadata image; on the heap
 *     they would be garbage that no collection removes before the agent is idle
 */
record MadeUpPlan(Plan plan, Map<Digest, Path> stored) {
    private static final int SMALL = 300;
    private static final int LARGEST_SMALL = 48 << 10;
    private static final int LARGE = 5 << 20;
    private static final int SINGLES = 60;
    private static final int REST = 9_000;
    private static final int METADATA = 3 << 20;
    private static final int LAYERS = 4;

    MadeUpPlan {
        stored = Map.copyOf(stored);
    }

    /** The objects that a start waits for, which are not in the prefetch list. */
    List<PlanObject> singles() {
        return plan.objects().subList(plan.startupCount(), plan.startupCount() + SINGLES);
    }

    /** Writes the frames into {@code directory}. */
    static MadeUpPlan make(Path directory) throws IOException {
        Random random = new Random(1);
        Map<Digest, Path> stored = new LinkedHashMap<>();
        List<PlanObject> objects = new ArrayList<>();
        List<PrefetchObject> prefetch = new ArrayList<>();
        for (int i = 0; i < SMALL; i++) {
            int size = 1 + random.nextInt(LARGEST_SMALL);
            objects.add(new PlanObject(add(stored, directory, random, size, prefetch), size, Segment.BASE, -1));
        }
        objects.add(new PlanObject(add(stored, directory, random, LARGE, prefetch), LARGE, Segment.FUNC, -1));
        for (int i = 0; i < SINGLES; i++) {
            int size = 1 + random.nextInt(LARGEST_SMALL);
            objects.add(new PlanObject(add(stored, directory, random, size), size, Segment.FUNC, -1));
        }
        for (int i = 0; i < REST; i++) {
            byte[] digest = new byte[Digest.BYTES];
            random.nextBytes(digest);
            objects.add(new PlanObject(Digest.ofBytes(digest), LARGEST_SMALL, Segment.BASE, -1));
        }
        Digest metadata = add(stored, directory, random, METADATA);
        List<PlanLayer> layers = ChainId.ofLayers(Collections.nCopies(LAYERS, metadata)).stream()
                .map(chain -> new PlanLayer(chain, metadata, METADATA))
                .toList();
        Digest image = Digest.of(metadata.bytes());
        Plan plan = new Plan(image, image, layers, List.of(), objects, prefetch);
        return new MadeUpPlan(plan, stored);
    }

    private static Digest add(Map<Digest, Path> stored, Path directory, Random random, int size) throws IOException {
        return add(stored, directory, random, size, new ArrayList<>());
    }

    private static Digest add(
            Map<Digest, Path> stored, Path directory, Random random, int size, List<PrefetchObject> prefetch)
            throws IOException {
        Path file = directory.resolve(Integer.toString(stored.size()));
        MessageDigest hash = Digest.newSha256();
        List<ObjectFrames.Frame> frames = new ArrayList<>();
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int left = size; left > 0; left -= ObjectFrames.CONTENT_BYTES) {
                byte[] content = new byte[Math.min(left, ObjectFrames.CONTENT_BYTES)];
                // Content that does not compress comes in the frames' largest form, as libraries do.
                random.nextBytes(content);
                hash.update(content);
                byte[] frame = Zstd.compress(content, 1);
                frames.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
                out.write(frame);
            }
        }
        prefetch.add(PrefetchObject.whole(ObjectFrames.of(size, frames)));
        Digest digest = Digest.ofBytes(hash.digest());
        stored.put(digest, file);
        return digest;
    }
}
