package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.pull.WantedObjects.Chunk;
import io.faasimage.node.pull.WantedObjects.Wanted;
import io.faasimage.store.ObjectStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WantedObjectsTest {
    private static final long BYTES = 1_000;

    @TempDir
    private Path root;

    @Test
    void whatCameDamagedIsAskedForSinglyAlsoWhenAnotherPullTriedInBetween() throws Exception {
        Claims claims = new Claims();
        Wanted damaged = new Wanted(
                0,
                new IndexRange(0, 1),
                new PlanObject(Digest.of(new byte[] {1}), 1, Segment.FUNC, -1),
                Optional.empty(),
                Optional.empty());
        try (ObjectStore store = ObjectStore.open(root, "node");
                ObjectSink sink = new ObjectSink(store, PullConfig.standard(0))) {
            WantedObjects one = new WantedObjects(List.of(damaged), claims, sink);
            WantedObjects two = new WantedObjects(List.of(damaged), claims, sink);
            assertThat(one.next(BYTES, new Progress())).isEqualTo(new Chunk(List.of(damaged), false));
            CompletableFuture<Chunk> streamOfTwo = taken(two);

            refuse(one, damaged);
            assertThat(streamOfTwo.get(10, TimeUnit.SECONDS)).isEqualTo(new Chunk(List.of(damaged), false));
            CompletableFuture<Chunk> singleOfOne = taken(one);

            refuse(two, damaged);
            assertThat(singleOfOne.get(10, TimeUnit.SECONDS)).isEqualTo(new Chunk(List.of(damaged), true));
        }
    }

    private static CompletableFuture<Chunk> taken(WantedObjects objects) {
        CompletableFuture<Chunk> taken = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                taken.complete(objects.next(BYTES, new Progress()));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        return taken;
    }

    private static void refuse(WantedObjects objects, Wanted wanted) {
        objects.countRefusal(wanted);
        objects.again(wanted);
    }
}
