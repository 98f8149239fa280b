package io.faasimage.node.plans.storage;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A program that makes a store of many objects, all links to a few files, and works on it with the heap that it is
 * given.
 */
final class LargeStore {
    private static final int LINKS = 30_000;
    /** Of each object; they are never read. */
    private static final ObjectFrames FRAME =
            ObjectFrames.of(1, List.of(new ObjectFrames.Frame(1, Digest.of(new byte[] {1}))));

    private LargeStore() {}

    /** Arguments: make, open or evict; directory; objects; plans. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[1]);
        int objects = Integer.parseInt(arguments[2]);
        int plans = Integer.parseInt(arguments[3]);
        long begin = System.nanoTime();
        switch (arguments[0]) {
            case "make" -> make(root, objects, plans);
            case "evict" -> evict(root, objects);
            default -> open(root);
        }
        System.out.println(arguments[0] + " " + (System.nanoTime() - begin) / 1_000_000 + " ms");
    }

    private static void make(Path root, int objects, int plans) throws IOException {
        Random random = new Random(1);
        ObjectStore.open(root, "node").close();
        PlanStore store = PlanStore.open(
                root, PlanTrust.EVERY_PLAN, new Events(1, InstantSource.system()), InstantSource.system());
        Path content = root;
        List<PlanObject> planned = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            Digest digest = digest(random);
            if (i % LINKS == 0) {
                content = Files.write(root.resolve("content-" + i), new byte[] {1});
            }
            Files.createLink(root.resolve("objects").resolve(digest.objectPath()), content);
            planned.add(new PlanObject(digest, 1, Segment.BASE, -1));
            if (planned.size() == objects / plans) {
                Plan plan = new Plan(
                        digest(random),
                        digest(random),
                        List.of(new PlanLayer(new ChainId(digest(random)), digest(random), 1)),
                        List.of(),
                        planned,
                        planned.stream()
                                .limit(planned.size() / 2)
                                .map(object -> PrefetchObject.whole(FRAME))
                                .toList());
                store.save(PlanCodec.encode(plan), Optional.empty());
                planned.clear();
            }
        }
    }

    private static Digest digest(Random random) {
        return new Digest(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    private static void open(Path root) throws IOException {
        ObjectStore.open(root, "node").close();
        PlanStore.open(root, PlanTrust.EVERY_PLAN, new Events(1, InstantSource.system()), InstantSource.system());
    }

    private static void evict(Path root, int objects) throws IOException {
        try (ObjectStore store = ObjectStore.open(root, "node")) {
            PlanStore plans = PlanStore.open(
                    root, PlanTrust.EVERY_PLAN, new Events(1, InstantSource.system()), InstantSource.system());
            List<Digest> order = plans.all().stream().map(StoredPlan::digest).toList();
            Ranking ranking = new Ranking(store, plans, order, 0);
            Ranking.Choice choice = ranking.choose(objects / 10);
            int[] taken = {0};
            ranking.forEach(choice, object -> taken[0]++);
            System.out.println("chose " + taken[0] + " of " + store.usage().objects());
        }
    }
}
