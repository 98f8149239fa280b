package io.faasimage.node.plans.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Piece;
import io.faasimage.format.plan.PieceMap;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.PageCache;
import io.faasimage.node.link.event.Events;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts over loop devices, with files in the place of the gate's; needs root. */
@SuppressWarnings("NullAway.Init")
class PartialLayersIT {
    private static final int CHUNK = 64 << 10;

    @TempDir
    Path temp;

    private final byte[] content = new byte[6 * CHUNK + 1000];
    private final byte[] start = new byte[CHUNK + 1000];
    private Path root;
    private Path file;
    private ObjectStore store;
    private PartialLayers layers;
    private Plan plan;
    private Digest digest;
    private PlanObject object;

    @BeforeEach
    void prepare() throws IOException {
        root = temp.toRealPath();
        new Random(1).nextBytes(content);
        object = new PlanObject(Digest.of(content), content.length, Segment.BASE, -1);
        System.arraycopy(content, CHUNK, start, 0, CHUNK);
        System.arraycopy(content, 6 * CHUNK, start, CHUNK, 1000);
        PiecedObject pieced = new PiecedObject(
                0,
                16,
                List.of(
                        new Piece(Digest.of(start), List.of(new IndexRange(1, 2), new IndexRange(6, 7))),
                        new Piece(Digest.of(new byte[] {1}), List.of(new IndexRange(0, 1), new IndexRange(2, 6)))),
                1);
        plan = new Plan(
                Digest.of(new byte[] {2}),
                Digest.of(new byte[] {3}),
                List.of(new PlanLayer(ChainId.ofBase(Digest.of(new byte[] {4})), Digest.of(new byte[] {5}), 1)),
                List.of(),
                List.of(object),
                1,
                List.of(pieced));
        digest = PlanCodec.digest(plan);
        store = ObjectStore.open(root, "node");
        Path files = Files.createDirectories(root.resolve("gate/partial"));
        file = files.resolve(PieceMap.name(PieceMap.of(object, pieced).encode()));
        Files.write(file, content);
        layers = open();
    }

    private PartialLayers open() throws IOException {
        return new PartialLayers(root, root.resolve("gate"), store, new Events(50, InstantSource.system()));
    }

    @AfterEach
    void remove() throws IOException {
        layers.remove(Set.copyOf(layers.plans()));
        layers.close();
        store.close();
        assertThat(MountTable.read().below(root)).isEmpty();
        assertThat(root.resolve("partial").resolve(digest.hex())).doesNotExist();
    }

    private void publish(byte[] bytes) throws IOException {
        store.publish(Digest.of(bytes), bytes.length, new ByteArrayInputStream(bytes));
    }

    private byte[] read(Path point, int chunk) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.min(CHUNK, content.length - chunk * CHUNK));
        try (FileChannel channel =
                FileChannel.open(point.resolve(object.digest().objectPath()))) {
            while (bytes.hasRemaining() && channel.read(bytes, (long) chunk * CHUNK + bytes.position()) > 0) {
                // Until all was read.
            }
        }
        return bytes.array();
    }

    private void assertRight(Path point) throws IOException {
        for (int chunk = 0; chunk < 7; chunk++) {
            assertThat(read(point, chunk))
                    .isEqualTo(
                            Arrays.copyOfRange(content, chunk * CHUNK, Math.min(content.length, (chunk + 1) * CHUNK)));
        }
    }

    private void awaitWhole() {
        Wait.until("the whole object", () -> !layers.isPartial(digest));
    }

    @Test
    void whatStartsReadIsInThePackAndTheRestInTheGate() throws Exception {
        publish(start);
        Path point = layers.mount(digest, plan);
        assertThat(layers.mount(digest, plan)).isEqualTo(point);
        assertThat(layers.find(digest)).contains(point);
        Files.write(file, new byte[0]);
        assertThat(read(point, 1)).isEqualTo(Arrays.copyOf(start, CHUNK));
        assertThat(read(point, 6)).isEqualTo(Arrays.copyOfRange(start, CHUNK, start.length));
        assertThatIOException().isThrownBy(() -> read(point, 2));
        Files.write(file, content);
        assertRight(point);
    }

    @Test
    void withoutItsPiecesNothingIsMounted() {
        assertThatIOException().isThrownBy(() -> layers.mount(digest, plan));
        assertThat(layers.plans()).isEmpty();
    }

    @Test
    void aWholeObjectTakesThePlaceOfTheGate() throws Exception {
        publish(start);
        Path point = layers.mount(digest, plan);
        assertThat(layers.isPartial(digest)).isTrue();
        publish(content);
        layers.objectsCame(digest);
        awaitWhole();
        Files.write(file, new byte[0]);
        assertRight(point);
    }

    @Test
    void thePackLeavesThePageCacheAfterTheStart() throws Exception {
        publish(start);
        Path point = layers.mount(digest, plan);
        Path pack = PartialMount.pack(root.resolve("partial").resolve(digest.hex()));
        try (FileChannel channel = FileChannel.open(pack)) {
            channel.force(false);
        }
        assertRight(point);
        layers.sweep(TimeUnit.HOURS.toNanos(1));
        assertThat(PageCache.resident(pack).isEmpty()).isFalse();
        layers.sweep(0);
        assertThat(PageCache.resident(pack).isEmpty()).isTrue();
        assertRight(point);
    }

    @Test
    void aLaterProcessLooksAfterTheLayer() throws Exception {
        publish(start);
        Path point = layers.mount(digest, plan);
        Path other = Files.createDirectories(root.resolve("gate2/partial"));
        Files.move(file, other.resolve(file.getFileName()));
        layers.close();
        layers = new PartialLayers(root, root.resolve("gate2"), store, new Events(50, InstantSource.system()));
        assertThat(layers.plans()).containsExactly(digest);
        assertThat(layers.isPartial(digest)).isTrue();
        layers.gateReplaced();
        assertRight(point);
        publish(content);
        layers.objectsCame(digest);
        awaitWhole();
        layers.close();
        layers = open();
        assertThat(layers.isPartial(digest)).isFalse();
    }

    @Test
    void whatNothingMountsIsRemoved() throws Exception {
        publish(start);
        Path point = layers.mount(digest, plan);
        layers.remove(List.of(digest));
        assertThat(point).doesNotExist();
        Files.createDirectories(root.resolve("partial").resolve(digest.hex()));
        layers.close();
        layers = open();
        assertThat(root.resolve("partial").resolve(digest.hex())).doesNotExist();
        assertThat(root.resolve("partial/maps")).isEmptyDirectory();
    }
}
