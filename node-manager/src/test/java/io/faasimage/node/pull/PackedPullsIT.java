package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.PageCache;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Pack;
import io.faasimage.store.pack.Packs;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pulls into packs, which are read through the running kernel. Needs root and Linux 6.15. */
class PackedPullsIT extends AbstractPullsTest {
    private static final int FRAME = ObjectFrames.CONTENT_BYTES;
    /** Of four frames. */
    private static final int BYTES = 200_000;

    /** Those on the node. */
    private final Map<Digest, Plan> plans = new ConcurrentHashMap<>();

    @Override
    Optional<Packs.Opening> packs() throws IOException {
        return Optional.of(() -> Packs.open(root.toRealPath().resolve("packs"), Optional.empty()));
    }

    @BeforeEach
    void serve() {
        pulls.serve(plan -> Optional.ofNullable(plans.get(plan)));
    }

    @AfterEach
    void unmount() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(root.toRealPath())) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    private SamplePlan sample(long seed, int objects, int bytes, IndexRange... read) {
        SamplePlan sample = new SamplePlan(seed, objects, objects, bytes, List.of(read));
        registry.add(sample);
        plans.put(sample.digest(), sample.plan());
        return sample;
    }

    private Pack onlyPack() {
        assertThat(store.packs().orElseThrow().all()).hasSize(1);
        return store.packs().orElseThrow().all().iterator().next();
    }

    private long waited() {
        return store.packs().orElseThrow().waited();
    }

    /** On a thread that nobody waits for: a read that nobody answers cannot be interrupted. */
    private static <T> T within(Callable<T> read) throws Exception {
        FutureTask<T> task = new FutureTask<>(read);
        Thread.ofPlatform().daemon().start(task);
        return task.get(30, TimeUnit.SECONDS);
    }

    private Path inPack(PlanObject object) {
        Packs.Place place = store.packs().orElseThrow().find(object.digest()).orElseThrow();
        return place.pack().file(place.object());
    }

    private void assertRead(SamplePlan sample, PlanObject object) throws Exception {
        assertThat(within(() -> Files.readAllBytes(inPack(object)))).isEqualTo(sample.content(object.digest()));
    }

    private void assertRead(SamplePlan sample) throws Exception {
        for (PlanObject object : sample.plan().startup()) {
            assertRead(sample, object);
        }
    }

    /** Reads a byte of a frame. */
    private void touch(SamplePlan sample, PlanObject object, int frame) throws Exception {
        ByteBuffer one = ByteBuffer.allocate(1);
        within(() -> {
            try (FileChannel file = FileChannel.open(inPack(object))) {
                return file.read(one, (long) frame * FRAME);
            }
        });
        assertThat(one.get(0)).isEqualTo(sample.content(object.digest())[frame * FRAME]);
    }

    @Test
    void allFramesComeWithOneRequestAndAreReadWithoutAWait() throws Exception {
        SamplePlan sample = sample(7, 3, BYTES);
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(report.objects()).isEqualTo(9);
        assertThat(registry.requests()).containsExactly("bundle 0-36");
        assertThat(onlyPack().isComplete()).isTrue();
        assertRead(sample);
        assertThat(waited()).isZero();
        assertThat(sample.plan().startup())
                .allMatch(object -> store.has(object.digest()) && !store.hasFile(object.digest()));
        assertThat(store.usage().objects()).isEqualTo(9);
        assertThat(pull(sample, Part.STARTUP).held()).isEqualTo(9);
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void aFrameThatNobodyBroughtIsFetchedWithItsNeighboursAndThenTheWholeObject() throws Exception {
        SamplePlan sample = sample(7, 1, 40 * FRAME);
        PlanObject second = sample.plan().startup().get(1);
        pulls.places().mounts(sample.plan());
        touch(sample, second, 20);
        assertThat(registry.requests()).containsExactly("bundle 60-76");
        Wait.until("its neighbours", () -> onlyPack().presentFrames() == 16);
        touch(sample, second, 25);
        assertThat(registry.requests()).hasSize(1);
        touch(sample, second, 3);
        assertThat(registry.requests()).contains("bundle 43-60,76-80");
        Wait.until("the others behind it", () -> onlyPack().presentFrames() == 37);
        assertRead(sample, second);
        assertRead(sample);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutAPlanTheWholeObjectIsFetched(boolean onTheNode) throws Exception {
        SamplePlan sample = sample(7, 1, BYTES);
        PlanObject object = sample.plan().startup().getFirst();
        pulls.places().mounts(sample.plan());
        if (onTheNode) {
            registry.forget(sample);
        } else {
            plans.clear();
        }
        assertRead(sample, object);
        assertThat(registry.requests()).contains("object " + object.digest().hex());
        assertThat(onlyPack().presentFrames()).isEqualTo(4);
    }

    @Test
    void whatCannotBeFetchedIsAnErrorOfTheReader() throws Exception {
        SamplePlan sample = sample(7, 1, BYTES);
        pulls.places().mounts(sample.plan());
        registry.close();
        Path file = inPack(sample.plan().startup().getFirst());
        assertThatThrownBy(() -> within(() -> Files.readAllBytes(file))).hasCauseInstanceOf(IOException.class);
        registry.reopen();
        assertRead(sample);
    }

    /** Two services, or two publishers, need not compress a file in the same way. */
    @Test
    void aPlanWithOtherFramesOfAnObjectThatIsThereInPartBringsItsOwn() throws Exception {
        pull(sample(7, 2, BYTES, new IndexRange(0, 1)), Part.STARTUP);
        SamplePlan other = new SamplePlan(8, 2, 2, BYTES, List.of(), false);
        registry.add(other);
        plans.put(other.digest(), other.plan());
        PullReport report = pull(other, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(registry.requests()).noneMatch(request -> request.startsWith("object"));
        assertRead(other);
    }

    @Test
    void aDamagedFrameIsRefusedAndItsObjectComesSingly() throws Exception {
        SamplePlan sample = sample(7, 2, BYTES);
        PlanObject bad = sample.plan().startup().get(3);
        registry.damage(bad.digest());
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(registry.requests()).contains("object " + bad.digest().hex());
        assertHeld(sample, sample.plan().startup());
        assertThat(onlyPack().isComplete()).isFalse();
        assertRead(sample);
        assertThat(onlyPack().isComplete())
                .as("fetched singly for the reader, too")
                .isTrue();
    }

    @Test
    void aCutConnectionCostsOnlyTheFrameUnderWay() throws Exception {
        SamplePlan sample = sample(7, 1, 1 << 20);
        registry.cuts.set(1);
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(registry.requests()).hasSize(2);
        long stored = sample.plan().prefetch().stream()
                .mapToLong(object -> object.frames().storedSize())
                .sum();
        assertThat(registry.sent.get()).isLessThan(stored + ObjectFrames.MAX_STORED_BYTES + 1_000);
        assertRead(sample);
    }

    @Test
    void aSecondPlanUsesThePackOfTheFirst() throws Exception {
        SamplePlan first = sample(7, 2, BYTES);
        SamplePlan second = sample(8, 2, BYTES);
        pull(first, Part.STARTUP);
        Pack shared = onlyPack();
        PullReport report = pull(second, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(report.held()).isEqualTo(2);
        assertThat(registry.requests()).containsExactly("bundle 0-24", "bundle 8-24");
        assertThat(pulls.places().mounts(second.plan())).hasSize(2).contains(shared.point());
        assertThat(inPack(second.plan().startup().getFirst())).startsWith(shared.point());
        assertRead(second);
        assertThat(waited()).isZero();
    }

    @Test
    void ofPartlyReadObjectsTheRestBringsTheOthers() throws Exception {
        SamplePlan sample = sample(7, 1, BYTES, new IndexRange(1, 3));
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(registry.requests()).containsExactly("bundle 1-3,5-7,9-11");
        assertThat(onlyPack().presentFrames()).isEqualTo(6);
        assertThat(pulls.places().file(sample.plan(), 0)).isPresent();
        touch(sample, sample.plan().startup().getFirst(), 2);
        assertThat(waited()).isZero();

        assertThat(pull(sample, Part.REST).complete()).isTrue();
        assertThat(askedFor()).hasSize(12 + 3).doesNotHaveDuplicates();
        assertThat(onlyPack().isComplete()).isTrue();
        assertHeld(sample, sample.plan().objects());
        assertRead(sample);
        assertThat(waited()).isZero();
    }

    @Test
    void whatAnotherContainerNeedsAsAFileIsCopiedFromThePack() throws Exception {
        SamplePlan sample = sample(7, 1, BYTES);
        pull(sample, Part.STARTUP);
        Digest object = sample.plan().startup().getFirst().digest();
        fetch(object);
        assertThat(store.hasFile(object)).isTrue();
        assertHeld(sample, sample.plan().startup());
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void anEvictedObjectFreesItsBlocksAndComesAgain() throws Exception {
        SamplePlan sample = sample(7, 1, BYTES);
        pull(sample, Part.STARTUP);
        PlanObject object = sample.plan().startup().getFirst();
        Path data = root.resolve("packs").resolve(onlyPack().name()).resolve("data");
        Path inPack = inPack(object);
        long pages = Math.ceilDiv(object.size(), PageCache.pageBytes());
        Wait.until("the end of the reading ahead", () -> PageCache.cachedPages(inPack) == pages);
        store.checkpoint();
        long blocks = blocks(data);
        long dropped = store.drop(object.digest());
        store.freeDropped();
        assertThat(dropped).isEqualTo(sample.frames(object.digest()).storedSize());
        assertThat(blocks(data)).isLessThanOrEqualTo(blocks - dropped / 512);
        assertThat(store.has(object.digest())).isFalse();
        long before = waited();
        Wait.until("a read that waits", () -> {
            PageCache.drop(inPack(object));
            assertRead(sample, object);
            return waited() > before;
        });
        assertRead(sample);
        assertThat(onlyPack().isComplete()).isTrue();
    }

    private static long blocks(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(stat.inputReader().readLine().strip());
    }

    @Test
    void anotherProcessKnowsWhatIsThere() throws Exception {
        SamplePlan sample = sample(7, 1, BYTES, new IndexRange(1, 3));
        pull(sample, Part.STARTUP);
        pulls.close();
        store.close();
        store = ObjectStore.open(root, "node", packs());
        pulls = pulls(Duration.ofMillis(1));
        serve();
        assertThat(onlyPack().presentFrames()).isEqualTo(6);
        assertThat(pull(sample, Part.STARTUP).held()).isEqualTo(3);
        assertThat(registry.requests()).hasSize(1);
        touch(sample, sample.plan().startup().getFirst(), 1);
        assertThat(waited()).isZero();
        assertRead(sample);
        assertThat(onlyPack().isComplete()).isTrue();
    }
}
