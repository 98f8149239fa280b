package io.faasimage.node.plans.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointsTest {
    private static final Checkpoints.Limits RARELY = new Checkpoints.Limits(Duration.ofHours(1), Duration.ofHours(1));

    @TempDir
    private Path root;

    private final Events events = new Events(10, InstantSource.system());
    private final SamplePlan sample = new SamplePlan(7, 5, 5, 2_000);

    @Test
    void aNodeThatIsNeverCalmIsFlushedToo() throws IOException {
        Checkpoints.Calm never = unless -> Wait.until("a reason", unless::getAsBoolean);
        try (ObjectStore store = ObjectStore.open(root, "node")) {
            publishAll(store);
            assertThat(root.resolve("incoming/node")).isNotEmptyDirectory();
            try (Checkpoints checkpoints = new Checkpoints(
                    store,
                    plans(),
                    never,
                    new Checkpoints.Limits(Duration.ofMillis(5), Duration.ofMillis(5)),
                    events)) {
                checkpoints.start();
                Wait.until("the directory to be empty", () -> isEmpty(root.resolve("incoming/node")));
            }
        }
    }

    @Test
    void afterACrashStartUpSetsAreVerifiedFirst() throws IOException {
        crash();
        AtomicInteger turns = new AtomicInteger();
        int startup = sample.plan().startupCount();
        Checkpoints.Calm calm = unless -> {
            if (turns.incrementAndGet() > startup) {
                throw new InterruptedException("enough");
            }
        };
        try (ObjectStore store = ObjectStore.open(root, "node");
                Checkpoints checkpoints = new Checkpoints(store, plans(), calm, RARELY, events)) {
            assertThat(visible(sample.plan().objects())).isZero();
            checkpoints.start();
            Wait.until(
                    "the event",
                    () -> !events.recent().isEmpty()
                            && events.recent().getLast().text().contains("continues at the next start"));
            assertThat(visible(sample.plan().startup())).isEqualTo(startup);
            assertThat(visible(sample.plan().rest())).isZero();
            assertThat(store.hasSuspects()).isTrue();
        }
        try (ObjectStore store = ObjectStore.open(root, "node");
                Checkpoints checkpoints = new Checkpoints(store, plans(), unless -> {}, RARELY, events)) {
            checkpoints.start();
            Wait.until("the suspects to be read", () -> !store.hasSuspects());
            assertThat(visible(sample.plan().objects()))
                    .isEqualTo(sample.plan().objects().size());
        }
    }

    private PlanStore plans() throws IOException {
        PlanStore plans = PlanStore.open(root, PlanTrust.EVERY_PLAN, events, InstantSource.system());
        plans.save(PlanCodec.encode(sample.plan()), Optional.empty());
        return plans;
    }

    private void crash() throws IOException {
        try (ObjectStore store = ObjectStore.open(root, "node")) {
            publishAll(store);
        }
        Files.writeString(root.resolve("checkpoint"), "faasimage-store 1\nanother boot\n");
    }

    private void publishAll(ObjectStore store) throws IOException {
        for (PlanObject object : sample.plan().objects()) {
            byte[] content = Zstd.decompress(sample.compressed().get(object.digest()), Math.toIntExact(object.size()));
            store.publish(object.digest(), ByteBuffer.wrap(content));
        }
    }

    private long visible(List<PlanObject> objects) {
        return objects.stream()
                .map(PlanObject::digest)
                .filter(digest -> Files.exists(path(digest)))
                .count();
    }

    private Path path(Digest digest) {
        return root.resolve("objects").resolve(digest.objectPath());
    }

    private static boolean isEmpty(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
