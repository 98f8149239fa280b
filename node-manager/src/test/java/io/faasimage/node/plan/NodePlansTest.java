package io.faasimage.node.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.BundleRequest.ObjectSet;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Event;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.node.registry.SamplePlan;
import io.faasimage.node.registry.SmallRegistry;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePlansTest {
    @TempDir
    private Path root;

    private final Events events = new Events(100, InstantSource.system());
    private SmallRegistry registry;
    private ObjectStore store;
    private PlanStore plans;
    private Pulls pulls;
    private NodePlans node;
    private Optional<String> gateDown = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        registry = new SmallRegistry();
        open(registry.link(Duration.ofSeconds(30), Duration.ofSeconds(10)), Optional.empty());
    }

    private final class Gate implements GateReadiness {
        @Override
        public void await(Duration limit) {}

        @Override
        public Optional<String> downFor(Duration span) {
            return gateDown;
        }
    }

    private void open(RegistryLink link, Optional<String> unsupported) throws IOException {
        InstantSource clock = InstantSource.system();
        store = ObjectStore.open(root, "node");
        plans = PlanStore.open(root, events, clock);
        pulls = new Pulls(link, store, PullConfig.standard(), events, clock, () -> plans.complete(64));
        RootMounts mounts = new RootMounts(root, true, events);
        PlanConfig usual = PlanConfig.standard();
        PlanConfig config = new PlanConfig(
                Duration.ofSeconds(3),
                usual.startupWait(),
                usual.gateWait(),
                usual.repull(),
                Duration.ZERO,
                usual.prefixAge(),
                usual.have());
        node = new NodePlans(
                new NodePlans.Parts(plans, pulls, link, mounts, new Gate(), store, events), config, unsupported);
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        shut();
    }

    private void shut() throws IOException {
        node.close();
        pulls.close();
        store.close();
    }

    private SamplePlan served(long seed) {
        SamplePlan sample = new SamplePlan(seed, 5, 5, 2_000);
        registry.add(sample);
        return sample;
    }

    /** Until the registry has been asked something, which it notes before it hangs. */
    private void awaitRequest() {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (registry.requests().isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(registry.requests()).isNotEmpty();
    }

    private static ChainId base(SamplePlan sample) {
        return sample.plan().layers().getFirst().chainId();
    }

    private PullReport startup(SamplePlan sample) throws Exception {
        return node.startup(plans.find(sample.plan().topChain()).orElseThrow())
                .orElseThrow()
                .done()
                .get(20, TimeUnit.SECONDS);
    }

    private static ChainId unknown() {
        return new ChainId(Digest.of(new byte[] {9}));
    }

    @Test
    void aColdStartAsksOnceForThePlanAndOncePerSegment() throws Exception {
        SamplePlan sample = served(7);
        assertThat(node.isPlanned(base(sample))).isTrue();
        assertThat(node.isPlanned(sample.plan().topChain())).isTrue();
        node.claimed(sample.plan().topChain());
        assertThat(startup(sample).complete()).isTrue();
        assertThat(registry.requests())
                .containsExactlyInAnyOrder("bundle ", "bundle base", "bundle lib", "bundle func");
        assertThat(Files.readAllBytes(
                        plans.metadataPath(sample.plan().layers().getLast().metadata())))
                .isEqualTo(sample.content(sample.plan().layers().getLast().metadata()));
    }

    @Test
    void aClaimOfALowerLayerPullsNothing() {
        SamplePlan sample = served(7);
        assertThat(node.isPlanned(base(sample))).isTrue();
        node.claimed(base(sample));
        assertThat(pulls.running()).isEmpty();
        assertThat(pulls.finished()).isEmpty();
    }

    @Test
    void whatTheRegistryDoesNotKnowIsNotPlannedAndAskedForAgain() {
        assertThat(node.isPlanned(unknown())).isFalse();
        SamplePlan late = served(7);
        assertThat(node.isPlanned(late.plan().topChain())).isTrue();
    }

    @Test
    void aRegistryThatIsDownMeansNotPlannedWithAReasonAndNoFurtherWait() {
        registry.close();
        assertThat(node.isPlanned(unknown())).isFalse();
        assertThat(events.recent())
                .singleElement()
                .satisfies(e -> assertThat(e.severity()).isEqualTo(Event.Severity.FALLBACK))
                .satisfies(e -> assertThat(e.text()).contains("counts as not planned", "is registry-service running"));
        assertThat(node.isPlanned(unknown())).isFalse();
        assertThat(events.recent().getLast().text()).contains("failed a moment ago");
    }

    @Test
    void aRegistryThatHangsIsGivenUp() {
        SamplePlan sample = served(7);
        registry.gate.drainPermits();
        assertThat(node.isPlanned(sample.plan().topChain())).isFalse();
        registry.gate.release(10);
        assertThat(events.recent()).isNotEmpty();
    }

    @Test
    void whoeverWaitsForTheSameAnswerGivesUpAsWell() throws Exception {
        ChainId top = served(7).plan().topChain();
        registry.gate.drainPermits();
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> node.isPlanned(top));
        awaitRequest();
        assertThat(node.isPlanned(top)).isFalse();
        registry.gate.release(10);
        assertThat(first.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void plansSurviveARestartWithoutTheRegistry() throws Exception {
        SamplePlan sample = served(7);
        assertThat(node.isPlanned(sample.plan().topChain())).isTrue();
        assertThat(startup(sample).complete()).isTrue();
        shut();
        registry.close();
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(node.isPlanned(sample.plan().topChain())).isTrue();
        assertThat(startup(sample).held()).isEqualTo(15);
        assertThat(pulls.finished().getFirst().requests()).isZero();
    }

    @Test
    void aLowerLayerNeedsTheRegistryOrAnAnnouncement() throws Exception {
        SamplePlan sample = served(7);
        ChainId top = sample.plan().topChain();
        assertThat(node.isPlanned(top)).isTrue();
        registry.close();
        try (NodePlans.Expectation _ = node.expect(top)) {
            assertThat(node.isPlanned(base(sample))).isTrue();
        }
        assertThat(node.isPlanned(base(sample))).isFalse();
    }

    @Test
    void aDamagedPlanOnTheDiskIsRemovedAndAskedForAgain() throws Exception {
        SamplePlan sample = served(7);
        assertThat(node.isPlanned(sample.plan().topChain())).isTrue();
        Path file = root.resolve("plans").resolve(sample.digest().hex());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        shut();
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(file).doesNotExist();
        assertThat(node.isPlanned(sample.plan().topChain())).isTrue();
        assertThat(file).exists();
    }

    @Test
    void aDamagedMetadataImageIsNotPublished() {
        SamplePlan sample = served(7);
        registry.damage(sample.plan().layers().getLast().metadata());
        assertThat(node.isPlanned(sample.plan().topChain())).isFalse();
        assertThat(plans.hasMetadata(sample.plan().layers().getLast().metadata()))
                .isFalse();
        assertThat(root.resolve("metadata")).isEmptyDirectory();
    }

    @Test
    void aKernelWithoutTheMountsMeansOrdinaryImages() throws Exception {
        SamplePlan sample = served(7);
        shut();
        open(registry.link(Duration.ofSeconds(30)), Optional.of("no EROFS"));
        assertThat(node.isPlanned(sample.plan().topChain())).isFalse();
        assertThat(registry.requests()).isEmpty();
        assertThat(events.recent().getLast().text()).contains("no EROFS");
    }

    @Test
    void withoutAGateImagesAreOrdinary() {
        ChainId top = served(7).plan().topChain();
        gateDown = Optional.of("the gate is down (no FUSE)");
        assertThat(node.isPlanned(top)).isFalse();
        assertThat(events.recent().getLast().text()).contains("no FUSE");
        gateDown = Optional.empty();
        assertThat(node.isPlanned(top)).isTrue();
    }

    @Test
    void aLowerLayerThatCannotBeHadDoesNotKeepOthersFromBeingFetched() throws Exception {
        SamplePlan sample = served(7);
        node.isPlanned(sample.plan().topChain());
        Digest top = sample.plan().layers().getLast().metadata();
        Files.delete(plans.metadataPath(top));
        registry.damage(sample.plan().layers().getFirst().metadata());
        registry.damagedSingly = true;
        RegistryLink link = registry.link(Duration.ofMillis(1));
        PlanLookup lookup = new PlanLookup(link, plans, events, Duration.ofSeconds(10));
        try (PrefixImages _ =
                new PrefixImages(plans, pulls, lookup, events, InstantSource.system(), Duration.ofMillis(20))) {
            for (int i = 0;
                    i < 200 && (!plans.hasMetadata(top) || registry.requests().size() < 6);
                    i++) {
                Thread.sleep(50);
            }
        }
        assertThat(plans.hasMetadata(top)).isTrue();
        assertThat(events.recent())
                .filteredOn(e -> e.text().contains("asked for later"))
                .hasSize(1);
    }

    @Test
    void theSecondFunctionSaysWhatIsHeldAndMovesOnlyItsOwn() throws Exception {
        SamplePlan first = served(7);
        SamplePlan second = served(8);
        node.isPlanned(first.plan().topChain());
        startup(first);
        plans.markComplete(first.digest());
        node.isPlanned(second.plan().topChain());
        PullReport report = startup(second);
        assertThat(report.held()).isEqualTo(5);
        assertThat(report.objects()).isEqualTo(10);
        assertThat(report.requests()).isEqualTo(2);
    }

    @Test
    void aPlanThatLacksSomethingIsNotCompleteAnyMore() throws Exception {
        SamplePlan sample = served(7);
        node.isPlanned(sample.plan().topChain());
        plans.markComplete(sample.digest());
        registry.damage(sample.plan().startup().getFirst().digest());
        registry.damagedSingly = true;
        assertThat(startup(sample).missing()).isEqualTo(1);
        assertThat(plans.isComplete(sample.digest())).isFalse();
    }

    @Test
    void aGateThatNobodyUsedNeedsNoPull() {
        SamplePlan sample = served(7);
        node.isPlanned(sample.plan().topChain());
        node.gateReplaced();
        assertThat(pulls.running(sample.digest(), ObjectSet.REST)).isEmpty();
        assertThat(List.copyOf(pulls.finished())).isEmpty();
    }
}
