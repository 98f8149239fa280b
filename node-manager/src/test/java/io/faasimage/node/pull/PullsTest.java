package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pulls.Urgency;
import io.faasimage.node.service.SamplePlan;
import io.faasimage.node.service.SmallService;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PullsTest {
    private static final PullConfig CONFIG = new PullConfig(
            2,
            256 << 10,
            64 << 10,
            3,
            Duration.ofMillis(1),
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            4,
            4,
            3,
            Duration.ofMillis(20),
            Duration.ofMillis(100),
            0,
            5);

    @TempDir
    private Path root;

    private final Events events = new Events(100, InstantSource.system());
    private SmallService registry;
    private ObjectStore store;
    private Pulls pulls;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
        store = ObjectStore.open(root, "node");
        pulls = pulls(Duration.ofMillis(1));
    }

    private Pulls pulls(Duration breaker) {
        return new Pulls(registry.link(breaker), store, CONFIG, events, InstantSource.system());
    }

    @AfterEach
    void stop() throws IOException {
        pulls.close();
        store.close();
        registry.close();
    }

    private PullReport pull(SamplePlan sample, Part part) throws Exception {
        return pulls.start(sample.digest(), sample::plan, part).done().get(20, TimeUnit.SECONDS);
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
    void aSmallColdPullCostsOneRequest() throws Exception {
        SamplePlan sample = served(7, 20, 3_000);
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(report.failures()).isEmpty();
        assertThat(report.objects()).isEqualTo(60);
        assertThat(report.wireBytes()).isBetween(60L * 1_500, 60L * 3_100);
        assertThat(report.segments()).hasSize(3).allMatch(segment -> segment.objects() == 20);
        assertThat(registry.requests()).containsExactly("bundle 0-60");
        assertHeld(sample, sample.plan().startup());
        assertThat(store.has(sample.plan().rest().getFirst().digest())).isFalse();
    }

    @Test
    void aLargePullIsSpreadOverLanesAndNothingIsAskedForTwice() throws Exception {
        SamplePlan sample = served(7, 40, 400_000);
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(registry.requests()).hasSizeGreaterThan(3);
        assertThat(askedFor()).hasSize(120).doesNotHaveDuplicates();
        assertHeld(sample, sample.plan().startup());
    }

    /** Indexes of the objects that bundles were asked for, one by one. */
    private List<Integer> askedFor() {
        return registry.requests().stream()
                .filter(line -> line.startsWith("bundle "))
                .flatMap(line -> Stream.of(line.substring("bundle ".length()).split("[, ]")))
                .filter(range -> range.contains("-"))
                .flatMapToInt(range -> IntStream.range(
                        Integer.parseInt(range.substring(0, range.indexOf('-'))),
                        Integer.parseInt(range.substring(range.indexOf('-') + 1))))
                .boxed()
                .toList();
    }

    @Test
    void whatBuffersHadBeforeIsInNoOtherObject() throws Exception {
        for (int seed = 7; seed < 10; seed++) {
            SamplePlan sample = served(seed, 20, 60_000 + 10_000 * seed);
            assertThat(pull(sample, Part.STARTUP).complete()).isTrue();
            assertHeld(sample, sample.plan().startup());
        }
        assertThat(events.recent()).noneMatch(event -> event.text().contains("refused"));
    }

    @Test
    void aSecondFunctionMovesOnlyItsOwn() throws Exception {
        SamplePlan first = served(7, 10, 3_000);
        SamplePlan second = served(8, 10, 3_000);
        pull(first, Part.STARTUP);
        PullReport report = pull(second, Part.STARTUP);
        assertThat(report.complete()).isTrue();
        assertThat(report.objects()).isEqualTo(20);
        assertThat(registry.requests()).containsExactly("bundle 0-30", "bundle 10-30");
    }

    @Test
    void theBaseOfARuntimeIsAPartOfItsOwn() throws Exception {
        SamplePlan sample = served(7, 10, 3_000);
        assertThat(pull(sample, Part.BASE).objects()).isEqualTo(10);
        assertThat(registry.requests()).containsExactly("bundle 0-10");
        assertThat(pull(sample, Part.STARTUP).held()).isEqualTo(10);
    }

    @Test
    void aCutStreamGoesOnWhereItStopped() throws Exception {
        SamplePlan sample = served(7, 20, 30_000);
        registry.cuts.set(1);
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(registry.requests().get(1)).matches("bundle [0-9]+-[0-9]+ from [0-9]+");
        long whole = sample.compressed().values().stream()
                .mapToLong(frame -> frame.length + 100)
                .sum();
        // The first answer is counted whole, though half of it came.
        assertThat(registry.sent.get()).isLessThan(whole);
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void aLargeObjectGoesOnWhereItStopped() throws Exception {
        SamplePlan sample = served(7, 1, 8 << 20);
        registry.cuts.set(1);
        assertThat(pull(sample, Part.STARTUP).complete()).isTrue();
        assertThat(registry.requests()).anyMatch(line -> line.contains(" from "));
        assertThat(registry.sent.get()).isLessThan(13 << 20);
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void streamsThatNeverAnswerAreGivenUp() throws Exception {
        SamplePlan sample = served(7, 2, 3_000);
        pulls.close();
        pulls = new Pulls(
                registry.link(Duration.ofMillis(1), Duration.ofMillis(100)),
                store,
                CONFIG,
                events,
                InstantSource.system());
        registry.gate.drainPermits();
        PullReport report = pull(sample, Part.STARTUP);
        registry.gate.release(100);
        assertThat(report.missing()).isEqualTo(6);
        assertThat(report.failures()).isNotEmpty();
    }

    @Test
    void aPauseThatTheRegistryAsksForHoldsForAllRequests() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        registry.busy.set(1);
        Pull pull = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        awaitRequests(1);
        long begin = System.nanoTime();
        pulls.demand().fetch(sample.plan().rest().getFirst().digest(), () -> {});
        PullReport report = pull.done().get(20, TimeUnit.SECONDS);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(900));
        assertThat(registry.requests()).hasSize(3);
    }

    private void awaitRequests(int count) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (registry.requests().size() < count && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(registry.requests()).hasSizeGreaterThanOrEqualTo(count);
    }

    @Test
    void whatIsOnItsWayIsWaitedForAndNotFetchedTwice() throws Exception {
        SamplePlan sample = served(7, 10, 3_000);
        Digest last = sample.plan().startup().getLast().digest();
        registry.gate.drainPermits();
        Pull pull = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        awaitRequests(1);
        CompletableFuture<Void> demand = CompletableFuture.runAsync(() -> fetch(last));
        awaitCondition(() -> pulls.demand().counts().waited() == 1);
        registry.gate.release(100);
        demand.get(20, TimeUnit.SECONDS);
        assertThat(store.has(last)).isTrue();
        assertThat(pull.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).containsExactly("bundle 0-30");
        assertThat(pulls.demand().counts().fetched()).isZero();
    }

    private void fetch(Digest digest) {
        try {
            pulls.demand().fetch(digest, () -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitCondition(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void whatIsOnlyQueuedIsFetchedAheadAndThenLeftOut() throws Exception {
        SamplePlan sample = served(7, 40, 400_000);
        Digest last = sample.plan().startup().getLast().digest();
        registry.gate.drainPermits();
        Pull pull = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        awaitRequests(3);
        pulls.demand().fetch(last, () -> {});
        assertThat(store.has(last)).isTrue();
        registry.gate.release(100);
        assertThat(pull.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).contains("object " + last.hex());
        assertThat(askedFor()).hasSize(119).doesNotContain(119);
    }

    @Test
    void aFailedDemandIsToldAndThePullBringsTheObject() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        Digest unknown = Digest.of(new byte[] {1, 2, 3});
        assertThatThrownBy(() -> pulls.demand().fetch(unknown, () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not have object");
        assertThat(pull(sample, Part.STARTUP).complete()).isTrue();
    }

    @Test
    void manyDemandsForOneObjectAreOneRequest() throws Exception {
        SamplePlan sample = served(7, 1, 300_000);
        Digest one = sample.plan().startup().getFirst().digest();
        List<CompletableFuture<Void>> demands = IntStream.range(0, 50)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> fetch(one), task -> Thread.ofVirtual().start(task)))
                .toList();
        for (CompletableFuture<Void> demand : demands) {
            demand.get(20, TimeUnit.SECONDS);
        }
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void backgroundWorkWaitsForStarts() throws Exception {
        SamplePlan first = served(7, 5, 3_000);
        SamplePlan second = served(8, 5, 3_000);
        registry.gate.drainPermits();
        Pull start = pulls.start(first.digest(), first::plan, Part.STARTUP);
        awaitRequests(1);
        Pull fill = pulls.start(second.digest(), second::plan, Part.REST, Urgency.BACKGROUND, Optional.empty());
        assertThatThrownBy(() -> fill.done().get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(registry.requests()).hasSize(1);
        registry.gate.release(100);
        assertThat(start.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(fill.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
    }

    @Test
    void backgroundWorkGoesOnWhenAStartWaitsForIt() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        Digest rest = sample.plan().rest().getFirst().digest();
        registry.gate.drainPermits();
        Pull fill = pulls.start(sample.digest(), sample::plan, Part.REST, Urgency.BACKGROUND, Optional.empty());
        awaitRequests(1);
        CompletableFuture<Void> demand = CompletableFuture.runAsync(() -> fetch(rest));
        awaitCondition(() -> pulls.demand().counts().waited() == 1);
        registry.gate.release(100);
        demand.get(10, TimeUnit.SECONDS);
        assertThat(fill.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void twoPullsOfOnePlanAreOne() throws Exception {
        SamplePlan sample = served(7, 10, 3_000);
        registry.gate.drainPermits();
        Pull first = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        Pull second = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        registry.gate.release(100);
        assertThat(second).isSameAs(first);
        assertThat(first.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void twoPlansWithTheSameObjectsAtOnceFetchThemOnce() throws Exception {
        SamplePlan first = served(7, 30, 3_000);
        SamplePlan second = served(8, 30, 3_000);
        registry.gate.drainPermits();
        Pull one = pulls.start(first.digest(), first::plan, Part.STARTUP);
        awaitRequests(1);
        Pull two = pulls.start(second.digest(), second::plan, Part.STARTUP);
        awaitRequests(2);
        registry.gate.release(100);
        assertThat(one.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(two.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).containsExactly("bundle 0-90", "bundle 30-90");
        assertHeld(second, second.plan().startup());
    }

    @Test
    void whatAnotherPullGaveUpIsTakenUp() throws Exception {
        SamplePlan first = served(7, 30, 3_000);
        SamplePlan second = served(8, 30, 3_000);
        registry.damage(first.plan().startup().getFirst().digest());
        Pull one = pulls.start(first.digest(), first::plan, Part.STARTUP);
        Pull two = pulls.start(second.digest(), second::plan, Part.STARTUP);
        assertThat(one.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(two.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
    }

    @Test
    void aHeldPlanCostsNoRequest() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        pull(sample, Part.STARTUP);
        int before = registry.requests().size();
        PullReport again = pull(sample, Part.STARTUP);
        assertThat(again.complete()).isTrue();
        assertThat(again.held()).isEqualTo(15);
        assertThat(registry.requests()).hasSize(before);
    }

    @Test
    void objectsLargerThanTheBytesInFlightAreStreamed() throws Exception {
        SamplePlan sample = served(7, 2, 2 << 20);
        assertThat(pull(sample, Part.STARTUP).complete()).isTrue();
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void theRestIsASetOfItsOwn() throws Exception {
        SamplePlan sample = served(7, 3, 3_000);
        assertThat(pull(sample, Part.REST).objects()).isEqualTo(3);
        assertHeld(sample, sample.plan().rest());
    }

    @Test
    void aDamagedObjectIsRefusedAndAskedForSingly() throws Exception {
        for (int bytes : new int[] {3_000, 2 << 20}) {
            SamplePlan sample = served(bytes, 3, bytes);
            Digest bad = sample.plan().startup().get(4).digest();
            registry.damage(bad);
            PullReport report = pull(sample, Part.STARTUP);
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
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.missing()).isEqualTo(1);
        assertThat(report.failures()).singleElement().asString().contains(bad.hex(), "3 attempts", "damaged");
        assertThat(store.has(bad)).isFalse();
        assertThat(registry.requests())
                .filteredOn(("object " + bad.hex())::equals)
                .as("after the stream")
                .hasSize(2);
        assertThat(events.recent()).anyMatch(e -> e.text().contains(bad.hex()));
    }

    @Test
    void aRegistryThatIsDownFailsSoonWithAReason() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        pulls.close();
        pulls = pulls(Duration.ofSeconds(30));
        registry.close();
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.missing()).isEqualTo(15);
        assertThat(report.failures()).isNotEmpty();
        assertThat(report.failures().toString()).contains("is registry-service running");
    }

    @Test
    void leavesNoTemporaryFiles() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        registry.damage(sample.plan().startup().getFirst().digest());
        registry.cuts.set(1);
        pull(sample, Part.STARTUP);
        // Until then, names there say what a crash may damage.
        assertThat(store.checkpoint()).isTrue();
        try (Stream<Path> files = Files.walk(root.resolve("incoming"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(f -> !f.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }
}
