package io.faasimage.node.link.service;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.plans.lazy.PullProof;
import io.faasimage.node.plans.lazy.WantedLayer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/** A plan with made-up objects and metadata images, the same for the same seed. */
public final class SamplePlan {
    private final Map<Digest, byte[]> contents = new LinkedHashMap<>();
    private final Map<Digest, StoredFrames> stored = new LinkedHashMap<>();
    private final boolean sized;
    private final Plan plan;

    /**
     * A plan of two layers.
     *
     * @param seed of the contents that are this plan's own
     * @param shared objects of the base segment, the same in every plan
     * @param own objects of the lib and func segments each
     * @param bytes size of each object
     */
    public SamplePlan(long seed, int shared, int own, int bytes) {
        this(seed, shared, own, bytes, List.of());
    }

    /** As the other one; starts read the frames {@code read} of each object of the prefetch list, all when empty. */
    public SamplePlan(long seed, int shared, int own, int bytes, List<IndexRange> read) {
        this(seed, shared, own, bytes, read, true);
    }

    /** As the other one, of somebody who compresses in another way when not {@code sized}. */
    public SamplePlan(long seed, int shared, int own, int bytes, List<IndexRange> read, boolean sized) {
        this.sized = sized;
        List<PlanObject> objects = new ArrayList<>();
        add(objects, new Random(1), shared, bytes, Segment.BASE);
        Random random = new Random(seed);
        add(objects, random, own, bytes, Segment.LIB);
        add(objects, random, own, bytes, Segment.FUNC);
        List<PrefetchObject> prefetch = objects.stream()
                .map(object -> new PrefetchObject(frames(object.digest()), read))
                .toList();
        add(objects, random, 3, bytes, Segment.FUNC);
        Digest baseLayer = Digest.of(new byte[] {1});
        ChainId base = ChainId.ofBase(baseLayer);
        ChainId top = base.append(Digest.of(("layer " + seed).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        this.plan = new Plan(
                Digest.of(("image " + seed).getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                Digest.of(("trace " + seed).getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                List.of(layer(base, new Random(2)), layer(top, random)),
                List.of(new Library("python", "flask", "3.0")),
                objects,
                prefetch);
    }

    private PlanLayer layer(ChainId chain, Random random) {
        byte[] image = bytes(random, 9_000);
        return new PlanLayer(chain, store(image), image.length);
    }

    private void add(List<PlanObject> objects, Random random, int count, int size, Segment segment) {
        for (int i = 0; i < count; i++) {
            Digest digest = store(bytes(random, size));
            objects.add(new PlanObject(digest, size, segment, segment == Segment.LIB ? 0 : -1));
        }
    }

    private Digest store(byte[] content) {
        Digest digest = Digest.of(content);
        contents.put(digest, content);
        stored.put(digest, StoredFrames.of(content, sized));
        return digest;
    }

    private static byte[] bytes(Random random, int size) {
        byte[] content = new byte[size];
        random.nextBytes(content);
        // Half of it compresses.
        Arrays.fill(content, 0, size / 2, (byte) random.nextInt());
        return content;
    }

    /** The plan. */
    public Plan plan() {
        return plan;
    }

    /** Its top layer, as a client wants it that names the image. */
    public WantedLayer wanted() {
        return new WantedLayer(plan.topChain(), Optional.of(plan.image()), PullProof.Purpose.START, 1, "default");
    }

    /** Its name. */
    public Digest digest() {
        return PlanCodec.digest(plan);
    }

    /** A content. */
    public byte[] content(Digest digest) {
        return Objects.requireNonNull(contents.get(digest));
    }

    /** The frames of a content. */
    public ObjectFrames frames(Digest digest) {
        return Objects.requireNonNull(stored.get(digest)).frames();
    }

    /** All contents, of objects and metadata images, as they are stored: in frames. */
    public Map<Digest, byte[]> compressed() {
        Map<Digest, byte[]> all = new LinkedHashMap<>();
        stored.forEach((digest, content) -> all.put(digest, content.bytes()));
        return all;
    }
}
