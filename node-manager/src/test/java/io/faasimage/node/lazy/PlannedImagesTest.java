package io.faasimage.node.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Event;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.prefetch.PlanConfig;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.rootfs.RootMounts;
import io.faasimage.node.service.SamplePlan;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.service.SmallService;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvents;
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

class PlannedImagesTest {
    @TempDir
    private Path root;

    private final Events events = new Events(100, InstantSource.system());
    private SmallService registry;
    private ObjectStore store;
    private PlanStore plans;
    private Pulls pulls;
    private PlannedImages node;
    private PlanConfig config = PlanConfig.standard();
    private Optional<String> gateDown = Optional.empty();

    private PulledManifests manifests = PulledManifests.NAMED;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
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

    private void open(ServiceLink link, Optional<String> unsupported) throws IOException {
        InstantSource clock = InstantSource.system();
        store = ObjectStore.open(root, "node");
        plans = PlanStore.open(root, events, clock);
        pulls = new Pulls(link, store, PullConfig.standard(0), events, clock);
        RootMounts mounts = new RootMounts(root, true, events);
        PlanConfig usual = PlanConfig.standard();
        config = new PlanConfig(
                Duration.ofSeconds(3),
                usual.patience(),
                usual.startupWait(),
                usual.gateWait(),
                usual.repull(),
                usual.answerAge(),
                usual.firstBytes(),
                usual.start(),
                usual.fill(),
                usual.startup(),
                usual.have());
        node = new PlannedImages(
                new PlannedImages.Parts(
                        plans,
                        layer -> manifests.of(layer),
                        pulls,
                        link,
                        mounts,
                        new Gate(),
                        store,
                        StartEvents.NONE,
                        StartSpans.NONE,
                        events),
                config,
                unsupported);
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

    /** Until the registry has been asked so often, which it notes before it hangs. */
    private void awaitRequests(int count) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (registry.requests().size() < count && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(registry.requests()).hasSizeGreaterThanOrEqualTo(count);
    }

    private static ChainId base(SamplePlan sample) {
        return sample.plan().layers().getFirst().chainId();
    }

    /** Of the pull that runs; when all is held already, of the last one. */
    private PullReport startup(SamplePlan sample) throws Exception {
        Optional<Pull> pull = node.startup(plans.find(sample.plan().topChain()).orElseThrow());
        return pull.isPresent()
                ? pull.get().done().get(20, TimeUnit.SECONDS)
                : pulls.finished().getLast();
    }

    private boolean isPlanned(SamplePlan sample) {
        return node.isPlanned(sample.wanted());
    }

    /** Whether a layer is planned for a client that pulls the sample's image. */
    private boolean isPlanned(SamplePlan sample, ChainId chain) {
        return node.isPlanned(new WantedLayer(chain, Optional.of(sample.plan().image()), 1, "default"));
    }

    @Test
    void aColdStartOfAnImageAskedForByItsTopIsOneRoundTrip() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 100;
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan");
        assertThat(Files.readAllBytes(
                        plans.images().path(sample.plan().layers().getLast().metadata())))
                .isEqualTo(sample.content(sample.plan().layers().getLast().metadata()));
    }

    @Test
    void theLayersOfAnImageCostOneRoundTrip() throws Exception {
        SamplePlan sample = served(7);
        served(8);
        registry.first = 100;
        assertThat(isPlanned(sample, base(sample))).isTrue();
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan");
    }

    @Test
    void anImageThatOnlyClaimsTheLayersOfAnotherIsOrdinary() {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        Digest forged = Digest.of(new byte[] {6});
        for (ChainId chain : List.of(base(sample), sample.plan().topChain())) {
            assertThat(node.isPlanned(new WantedLayer(chain, Optional.of(forged), 1, "default")))
                    .isFalse();
            assertThat(node.isPlanned(new WantedLayer(chain, Optional.empty(), 1, "default")))
                    .isFalse();
        }
        assertThat(events.recent().getLast().text()).contains("the manifest of the pulled image is unknown");
    }

    @Test
    void ofSeveralManifestsWithOneLayerAllMustBeKnown() {
        SamplePlan sample = served(7);
        Digest known = sample.plan().image();
        Digest forged = Digest.of(new byte[] {6});
        WantedLayer layer = new WantedLayer(base(sample), Optional.empty(), 1, "default");
        manifests = wanted -> List.of(known, forged);
        assertThat(node.isPlanned(layer)).isFalse();
        Digest other = Digest.of(new byte[] {7});
        registry.shown.put(other, List.of(base(sample)));
        manifests = wanted -> List.of(known, other);
        assertThat(node.isPlanned(layer)).isTrue();
    }

    @Test
    void layersThatTheRegistryWasShownArePlannedForAnImageWithoutAPlan() {
        SamplePlan sample = served(7);
        Digest other = Digest.of(new byte[] {6});
        registry.shown.put(other, List.of(base(sample)));
        assertThat(node.isPlanned(new WantedLayer(base(sample), Optional.of(other), 1, "default")))
                .isTrue();
        assertThat(node.isPlanned(new WantedLayer(sample.plan().topChain(), Optional.of(other), 1, "default")))
                .isFalse();
    }

    @Test
    void whatTheFirstAnswerDidNotBringIsAskedFor() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan", "bundle 6-15");
    }

    @Test
    void thePullBeginsBeforeTheMetadataImageHasCome() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        registry.documents.drainPermits();
        CompletableFuture<Boolean> planned = CompletableFuture.supplyAsync(() -> isPlanned(sample));
        awaitRequests(2);
        assertThat(planned).isNotDone();
        registry.documents.release();
        assertThat(planned.get(10, TimeUnit.SECONDS)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan", "bundle 6-15");
    }

    @Test
    void objectsThatWereToComeAfterADamagedMetadataImageAreAskedFor() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        registry.damage(sample.plan().layers().getLast().metadata());
        assertThat(isPlanned(sample)).isFalse();
        awaitHeld(sample);
    }

    private void awaitHeld(SamplePlan sample) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (pulls.finished().stream().noneMatch(report -> report.plan().equals(sample.digest()))
                && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(sample.plan().startup()).allMatch(object -> store.has(object.digest()));
    }

    @Test
    void aClaimOfALowerLayerPullsNothing() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample, base(sample))).isTrue();
        awaitHeld(sample);
        node.claimed(base(sample));
        assertThat(pulls.running()).isEmpty();
        assertThat(pulls.finished()).hasSize(1);
    }

    @Test
    void whatTheRegistryDoesNotKnowIsNotPlannedAndAskedForAgain() {
        assertThat(isPlanned(new SamplePlan(99, 1, 1, 10))).isFalse();
        SamplePlan late = served(7);
        assertThat(isPlanned(late)).isTrue();
    }

    @Test
    void aRegistryThatIsDownMeansNotPlannedWithAReasonAndNoFurtherWait() {
        registry.close();
        assertThat(isPlanned(new SamplePlan(99, 1, 1, 10))).isFalse();
        assertThat(events.recent())
                .singleElement()
                .satisfies(e -> assertThat(e.severity()).isEqualTo(Event.Severity.FALLBACK))
                .satisfies(
                        e -> assertThat(e.text()).contains("is treated as unplanned", "is registry-service running"));
        assertThat(isPlanned(new SamplePlan(99, 1, 1, 10))).isFalse();
        assertThat(events.recent().getLast().text()).contains("failed a moment ago");
    }

    @Test
    void aRegistryThatHangsIsGivenUp() {
        SamplePlan sample = served(7);
        registry.gate.drainPermits();
        assertThat(isPlanned(sample)).isFalse();
        registry.gate.release(10);
        assertThat(events.recent()).isNotEmpty();
    }

    @Test
    void allThatWaitForTheSameAnswerGiveUp() throws Exception {
        SamplePlan sample = served(7);
        registry.gate.drainPermits();
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> isPlanned(sample));
        awaitRequests(1);
        assertThat(isPlanned(sample)).isFalse();
        registry.gate.release(10);
        assertThat(first.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void plansSurviveARestartWithoutTheRegistry() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        assertThat(startup(sample).complete()).isTrue();
        shut();
        registry.close();
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(isPlanned(sample)).isTrue();
        assertThat(startup(sample).held()).isEqualTo(15);
        assertThat(pulls.finished().getFirst().requests()).isZero();
    }

    @Test
    void aHeldPlanNeedsNoRegistryForAnyOfItsLayers() {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        registry.close();
        assertThat(isPlanned(sample, base(sample))).isTrue();
        assertThat(isPlanned(sample)).isTrue();
    }

    @Test
    void aDamagedPlanOnTheDiskIsRemovedAndAskedForAgain() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        Path file = root.resolve("plans").resolve(sample.digest().hex());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        shut();
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(file).doesNotExist();
        assertThat(isPlanned(sample)).isTrue();
        assertThat(file).exists();
    }

    @Test
    void aDamagedMetadataImageIsNotPublished() {
        SamplePlan sample = served(7);
        registry.damage(sample.plan().layers().getLast().metadata());
        assertThat(isPlanned(sample)).isFalse();
        assertThat(plans.images().has(sample.plan().layers().getLast().metadata()))
                .isFalse();
        assertThat(root.resolve("metadata")).isEmptyDirectory();
    }

    @Test
    void aKernelWithoutTheMountsMeansOrdinaryImages() throws Exception {
        SamplePlan sample = served(7);
        shut();
        open(registry.link(Duration.ofSeconds(30)), Optional.of("no EROFS"));
        assertThat(isPlanned(sample)).isFalse();
        assertThat(registry.requests()).isEmpty();
        assertThat(events.recent().getLast().text()).contains("no EROFS");
    }

    @Test
    void withoutAGateImagesAreOrdinary() {
        SamplePlan sample = served(7);
        gateDown = Optional.of("the gate is down (no FUSE)");
        assertThat(isPlanned(sample)).isFalse();
        assertThat(events.recent().getLast().text()).contains("no FUSE");
        gateDown = Optional.empty();
        assertThat(isPlanned(sample)).isTrue();
    }

    @Test
    void theSecondFunctionSaysWhatIsHeldAndMovesOnlyItsOwn() throws Exception {
        SamplePlan first = served(7);
        SamplePlan second = served(8);
        registry.first = 100;
        isPlanned(first);
        awaitHeld(first);
        plans.marks().markComplete(first.digest());
        isPlanned(second);
        awaitHeld(second);
        PullReport report = pulls.finished().getLast();
        assertThat(report.held()).isEqualTo(5);
        assertThat(report.objects()).isEqualTo(10);
        assertThat(report.requests()).isZero();
    }

    @Test
    void aNewerPlanIsUsedByTheStartAfterTheNext() throws Exception {
        SamplePlan old = served(7);
        ChainId top = old.plan().topChain();
        assertThat(isPlanned(old)).isTrue();
        assertThat(startup(old).failures()).isEmpty();
        SamplePlan newer = new SamplePlan(7, 5, 6, 2_000);
        registry.add(newer);
        int before = registry.requests().size();
        node.starting(top);
        awaitHeld(newer);
        assertThat(plans.find(top).orElseThrow().digest()).isEqualTo(newer.digest());
        assertThat(registry.requests().subList(before, before + 2)).containsExactly("bundle which", "bundle plan");
    }

    @Test
    void aPlanThatIsTheNewestIsNotSentAgain() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        assertThat(startup(sample).complete()).isTrue();
        int before = registry.requests().size();
        node.starting(sample.plan().topChain());
        awaitRequests(before + 1);
        node.close();
        assertThat(registry.requests().subList(before, registry.requests().size()))
                .containsExactly("bundle which");
    }

    @Test
    void aPlanThatIsRemovedAfterAStartIsNotAskedForAgain() throws Exception {
        SamplePlan removed = served(7);
        SamplePlan stays = served(8);
        assertThat(isPlanned(removed)).isTrue();
        assertThat(startup(removed).complete()).isTrue();
        assertThat(isPlanned(stays)).isTrue();
        assertThat(startup(stays).complete()).isTrue();
        int before = registry.requests().size();
        node.starting(removed.plan().topChain());
        node.remove(List.of(plans.find(removed.plan().topChain()).orElseThrow()));
        node.starting(stays.plan().topChain());
        awaitRequests(before + 1);
        node.close();
        assertThat(registry.requests().subList(before, registry.requests().size()))
                .containsExactly("bundle which");
        assertThat(plans.find(removed.plan().topChain())).isEmpty();
    }

    @Test
    void aPlanThatTheServiceHasForgottenIsReplacedByTheNewest() throws Exception {
        SamplePlan old = served(7);
        ChainId top = old.plan().topChain();
        registry.rangeFailures.set(1);
        registry.failure = 404;
        SamplePlan newer = new SamplePlan(7, 5, 6, 2_000);
        assertThat(isPlanned(old)).isTrue();
        registry.forget(old);
        registry.add(newer);
        assertThat(startup(old).complete()).isFalse();
        awaitHeld(newer);
        assertThat(plans.find(top).orElseThrow().digest()).isEqualTo(newer.digest());
    }

    @Test
    void aPlanThatLacksSomethingIsNotCompleteAnyMore() throws Exception {
        SamplePlan sample = served(7);
        registry.damage(sample.plan().startup().getFirst().digest());
        registry.damagedSingly = true;
        isPlanned(sample);
        startup(sample);
        plans.marks().markComplete(sample.digest());
        assertThat(startup(sample).missing()).isEqualTo(1);
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (plans.marks().isComplete(sample.digest()) && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(plans.marks().isComplete(sample.digest())).isFalse();
    }

    @Test
    void aGateThatNobodyUsedNeedsNoPull() {
        SamplePlan sample = served(7);
        isPlanned(sample);
        node.retention().gateReplaced(true);
        assertThat(pulls.running(sample.digest(), Part.REST)).isEmpty();
        assertThat(List.copyOf(pulls.finished())).isEmpty();
    }
}
