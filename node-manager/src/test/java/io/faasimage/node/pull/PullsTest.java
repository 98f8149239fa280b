package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.BundleRequest.ObjectSet;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.registry.SamplePlan;
import io.faasimage.node.registry.SmallRegistry;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PullsTest {
    private static final PullConfig CONFIG =
            new PullConfig(2, 256 << 10, 64 << 10, 3, Duration.ofMillis(1), Duration.ofSeconds(1), 256, 4, 5);

    @TempDir
    private Path root;

    private final Events events = new Events(100, InstantSource.system());
    private final List<Digest> have = new CopyOnWriteArrayList<>();
    private SmallRegistry registry;
    private ObjectStore store;
    private Pulls pulls;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallRegistry();
        store = ObjectStore.open(root, "node");
        pulls = pulls(Duration.ofMillis(1));
    }

    private Pulls pulls(Duration breaker) {
        return new Pulls(registry.link(breaker), store, CONFIG, events, InstantSource.system(), () -> have);
    }

    @AfterEach
    void stop() throws IOException {
        pulls.close();
        store.close();
        registry.close();
    }

    private PullReport pull(SamplePlan sample, ObjectSet set) throws Exception {
        return pulls.start(sample.digest(), sample::plan, set).done().get(20, TimeUnit.SECONDS);
    }

    private SamplePlan served(long seed, int objects, int bytes) {
        SamplePlan sample = new SamplePlan(seed, objects, objects, bytes);
        registry.add(sample);
        return sample;
    }

    private void assertHeld(SamplePlan sample, List<PlanObject> objects) throws IOException {
        for (PlanObject object : objects) {
            assertThat(Files.readAllBytes(store.path(object.digest()))).isEqualTo(sample.content(object.digest()));
        }
    }

    @Test
    void aColdPullCostsOneRequestPerSegment() throws Exception {
        SamplePlan sample = served(7, 20, 3_000);
        PullReport report = pull(sample, ObjectSet.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(report.failures()).isEmpty();
        assertThat(report.objects()).isEqualTo(60);
        assertThat(report.wireBytes()).isBetween(60L * 1_500, 60L * 3_000);
        assertThat(registry.requests()).containsExactlyInAnyOrder("bundle base", "bundle lib", "bundle func");
        assertHeld(sample, sample.plan().startup());
        assertThat(store.has(sample.plan().rest().getFirst().digest())).isFalse();
    }

    @Test
    void aHeldPlanCostsNoRequest() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        pull(sample, ObjectSet.STARTUP);
        int before = registry.requests().size();
        PullReport again = pull(sample, ObjectSet.STARTUP);
        assertThat(again.complete()).isTrue();
        assertThat(again.held()).isEqualTo(15);
        assertThat(registry.requests()).hasSize(before);
    }

    @Test
    void aSecondFunctionMovesOnlyItsOwn() throws Exception {
        SamplePlan first = served(7, 10, 3_000);
        SamplePlan second = served(8, 10, 3_000);
        pull(first, ObjectSet.STARTUP);
        have.add(first.digest());
        PullReport report = pull(second, ObjectSet.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(report.objects()).isEqualTo(20);
        assertThat(registry.requests().subList(3, 5)).containsExactlyInAnyOrder("bundle lib", "bundle func");
    }

    @Test
    void whatIsWronglyRememberedAsHeldIsStreamedAfterAll() throws Exception {
        SamplePlan first = served(7, 10, 3_000);
        SamplePlan second = served(8, 10, 3_000);
        have.add(first.digest());
        assertThat(pull(second, ObjectSet.STARTUP).complete()).isTrue();
        assertThat(registry.requests())
                .containsExactlyInAnyOrder("bundle base", "bundle base", "bundle lib", "bundle func");
        assertHeld(second, second.plan().startup());
    }

    @Test
    void aDamagedObjectIsNoReasonToStreamAgain() throws Exception {
        SamplePlan first = served(7, 5, 3_000);
        SamplePlan second = served(8, 5, 3_000);
        pull(first, ObjectSet.STARTUP);
        have.add(first.digest());
        registry.damage(second.plan().startup().getLast().digest());
        PullReport report = pull(second, ObjectSet.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(report.requests()).isEqualTo(3);
    }

    @Test
    void objectsLargerThanTheBytesInFlightAreStreamed() throws Exception {
        SamplePlan sample = served(7, 2, 2 << 20);
        assertThat(pull(sample, ObjectSet.STARTUP).complete()).isTrue();
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void theRestIsASetOfItsOwn() throws Exception {
        SamplePlan sample = served(7, 3, 3_000);
        assertThat(pull(sample, ObjectSet.REST).objects()).isEqualTo(3);
        assertHeld(sample, sample.plan().rest());
    }

    @Test
    void aDamagedObjectIsRefusedAndAskedForSingly() throws Exception {
        for (int bytes : new int[] {3_000, 2 << 20}) {
            SamplePlan sample = served(bytes, 3, bytes);
            Digest bad = sample.plan().startup().get(4).digest();
            registry.damage(bad);
            PullReport report = pull(sample, ObjectSet.STARTUP);
            assertThat(report.complete()).as("%s", report).isTrue();
            assertThat(registry.requests()).contains("object " + bad.hex());
            assertHeld(sample, sample.plan().startup());
        }
    }

    @Test
    void anObjectThatStaysDamagedFailsAlone() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        Digest bad = sample.plan().startup().get(4).digest();
        registry.damage(bad);
        registry.damagedSingly = true;
        PullReport report = pull(sample, ObjectSet.STARTUP);
        assertThat(report.missing()).isEqualTo(1);
        assertThat(report.failures()).singleElement().asString().contains(bad.hex(), "3 attempts", "damaged");
        assertThat(store.has(bad)).isFalse();
        assertThat(registry.requests())
                .filteredOn(("object " + bad.hex())::equals)
                .hasSize(3);
        assertThat(events.recent()).anyMatch(e -> e.text().contains(bad.hex()));
    }

    @Test
    void aCutStreamIsAskedForAgain() throws Exception {
        SamplePlan sample = served(7, 20, 3_000);
        registry.cuts.set(3);
        PullReport report = pull(sample, ObjectSet.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(report.objects()).isEqualTo(60);
        assertThat(registry.requests()).hasSizeBetween(4, 6).allMatch(line -> line.startsWith("bundle "));
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void aStreamThatIsAlwaysCutEndsWithSingleRequests() throws Exception {
        SamplePlan sample = served(7, 4, 3_000);
        registry.cuts.set(Integer.MAX_VALUE);
        PullReport report = pull(sample, ObjectSet.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(registry.requests()).anyMatch(line -> line.startsWith("object "));
    }

    @Test
    void aRegistryThatIsDownFailsSoonWithAReason() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        pulls.close();
        pulls = pulls(Duration.ofSeconds(30));
        registry.close();
        PullReport report = pull(sample, ObjectSet.STARTUP);
        assertThat(report.missing()).isEqualTo(15);
        assertThat(report.failures()).isNotEmpty();
        assertThat(report.failures().toString()).contains("is registry-service running");
    }

    @Test
    void streamsThatNeverAnswerAreGivenUpForSingleRequests() throws Exception {
        SamplePlan sample = served(7, 2, 3_000);
        pulls.close();
        pulls = new Pulls(
                registry.link(Duration.ofMillis(1), Duration.ofMillis(100)),
                store,
                CONFIG,
                events,
                InstantSource.system(),
                () -> have);
        registry.gate.drainPermits();
        PullReport report = pull(sample, ObjectSet.STARTUP);
        registry.gate.release(100);
        assertThat(report.complete()).isTrue();
        assertThat(registry.requests())
                .filteredOn(line -> line.startsWith("object "))
                .hasSize(6);
    }

    @Test
    void twoPullsOfOnePlanAreOne() throws Exception {
        SamplePlan sample = served(7, 10, 3_000);
        registry.gate.drainPermits();
        Pull first = pulls.start(sample.digest(), sample::plan, ObjectSet.STARTUP);
        Pull second = pulls.start(sample.digest(), sample::plan, ObjectSet.STARTUP);
        registry.gate.release(100);
        assertThat(second).isSameAs(first);
        assertThat(first.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).hasSize(3);
    }

    @Test
    void twoPlansWithTheSameObjectsAtOnceBothEnd() throws Exception {
        SamplePlan first = served(7, 30, 3_000);
        SamplePlan second = served(8, 30, 3_000);
        Pull one = pulls.start(first.digest(), first::plan, ObjectSet.STARTUP);
        Pull two = pulls.start(second.digest(), second::plan, ObjectSet.STARTUP);
        assertThat(one.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(two.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertHeld(second, second.plan().startup());
    }

    @Test
    void leavesNoTemporaryFiles() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        registry.damage(sample.plan().startup().getFirst().digest());
        registry.cuts.set(1);
        pull(sample, ObjectSet.STARTUP);
        try (Stream<Path> files = Files.walk(root.resolve("incoming"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(f -> !f.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }
}
