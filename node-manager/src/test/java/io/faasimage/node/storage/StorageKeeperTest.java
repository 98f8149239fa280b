package io.faasimage.node.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.lazy.GateReadiness;
import io.faasimage.node.lazy.PlanRetention;
import io.faasimage.node.lazy.PlannedImages;
import io.faasimage.node.lazy.PulledManifests;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.prefetch.PlanConfig;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.rootfs.PlanMounts;
import io.faasimage.node.rootfs.RootLayers;
import io.faasimage.node.service.SamplePlan;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.service.SmallService;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvents;
import io.faasimage.store.FastTier;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each plan has 15 objects of 2,000 bytes in its start-up set, the first 5 in common with every other, and 3 more. */
class StorageKeeperTest {
    private static final int STARTUP_BYTES = 30_000;
    private static final int OWN_BYTES = 20_000;
    private static final long FAST_BYTES = 64_000;

    @TempDir
    private Path root;

    @TempDir
    private Path fast;

    private final Events events = new Events(100, InstantSource.system());
    private final Set<ChainId> mounted = new HashSet<>();
    private final Set<ChainId> claimed = new HashSet<>();
    private Instant now = Instant.now();
    private Disk free = () -> Long.MAX_VALUE;
    private SmallService registry;
    private ObjectStore store;
    private PlanStore plans;
    private Pulls pulls;
    private PlannedImages node;

    @BeforeEach
    void open() throws IOException {
        registry = new SmallService();
        registry.first = 100;
        open(Optional.empty());
    }

    private void open(Optional<FastTier> tier) throws IOException {
        ServiceLink link = registry.link(Duration.ofSeconds(30), Duration.ofSeconds(10));
        store = ObjectStore.open(root, tier, "node");
        plans = PlanStore.open(root, events, () -> now);
        pulls = new Pulls(link, store, PullConfig.standard(0), events, InstantSource.system());
        node = new PlannedImages(
                new PlannedImages.Parts(
                        plans,
                        PulledManifests.NAMED,
                        pulls,
                        link,
                        new FakeMounts(),
                        new OpenGate(),
                        store,
                        StartEvents.NONE,
                        StartSpans.NONE,
                        events),
                PlanConfig.standard(),
                Optional.empty());
    }

    @AfterEach
    void close() throws IOException {
        registry.close();
        shut();
    }

    private void shut() throws IOException {
        node.close();
        pulls.close();
        store.close();
    }

    private void reopenWithFastTier() throws IOException {
        shut();
        open(Optional.of(new FastTier(fast, FAST_BYTES)));
    }

    private static final class OpenGate implements GateReadiness {
        @Override
        public void await(Duration limit) {}

        @Override
        public Optional<String> downFor(Duration span) {
            return Optional.empty();
        }
    }

    private final class FakeMounts implements PlanMounts {
        @Override
        public RootLayers open(PlanLayer layer, Path metadata, boolean inner) {
            return RootLayers.directory(root);
        }

        @Override
        public Set<PlanLayer> used(Collection<PlanLayer> layers) {
            return inUse(layers);
        }

        @Override
        public Set<PlanLayer> inUse(Collection<PlanLayer> layers) {
            return layers.stream()
                    .filter(layer -> mounted.contains(layer.chainId()))
                    .collect(Collectors.toSet());
        }

        @Override
        public void release(Digest image, BooleanSupplier unused) {}

        @Override
        public void gateReplaced() {}
    }

    private StorageKeeper keeper(long capacityBytes) {
        return keeper(capacityBytes, 0, 0);
    }

    private StorageKeeper keeper(long capacityBytes, long reserveBytes, long leastBytes) {
        Budgets budgets = new Budgets(
                capacityBytes,
                reserveBytes,
                leastBytes,
                2,
                Duration.ofHours(1),
                Long.MAX_VALUE,
                Duration.ofHours(1),
                2);
        PlanRetention retention = node.retention();
        return new StorageKeeper(
                new UnusedPlans(plans, node, () -> Optional.of(claimed), budgets, events),
                new FastTierMoves(store, plans, retention, budgets, events),
                new Eviction(store, plans, retention, () -> free.availableBytes(), budgets, events),
                new Pruning(store, plans, node, events),
                budgets.pass(),
                events);
    }

    /** A plan whose start-up set is here and marked as complete. */
    private SamplePlan pulled(long seed) throws Exception {
        SamplePlan sample = new SamplePlan(seed, 5, 5, 2_000);
        registry.add(sample);
        assertThat(node.isPlanned(sample.wanted())).isTrue();
        pull(sample);
        await(() -> plans.marks().isComplete(sample.digest()));
        now = now.plusSeconds(60);
        return sample;
    }

    private void pull(SamplePlan sample) throws Exception {
        Optional<Pull> pull = node.startup(plans.find(sample.plan().topChain()).orElseThrow());
        if (pull.isPresent()) {
            PullReport report = pull.get().done().get(20, TimeUnit.SECONDS);
            assertThat(report.complete()).isTrue();
        }
        await(() -> pulls.running().isEmpty());
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static List<Digest> own(SamplePlan sample) {
        return sample.plan().startup().stream().skip(5).map(PlanObject::digest).toList();
    }

    private static List<Digest> shared(SamplePlan sample) {
        return sample.plan().startup().stream().limit(5).map(PlanObject::digest).toList();
    }

    private long held(SamplePlan sample) {
        return sample.plan().startup().stream()
                .filter(object -> store.has(object.digest()))
                .count();
    }

    @Test
    void theLeastRecentlyUsedPlanIsEvictedAndPulledAgainAtItsNextStart() throws Exception {
        SamplePlan old = pulled(7);
        SamplePlan recent = pulled(8);
        long budget = STARTUP_BYTES + OWN_BYTES - 1000;
        keeper(budget).pass();
        assertThat(store.usage().bytes()).isLessThan(budget);
        assertThat(held(recent)).isEqualTo(15);
        assertThat(plans.marks().isComplete(recent.digest())).isTrue();
        assertThat(held(old)).isBetween(5L, 14L);
        assertThat(shared(old)).allMatch(store::has);
        assertThat(plans.marks().isComplete(old.digest())).isFalse();
        pull(old);
        assertThat(held(old)).isEqualTo(15);
        await(() -> plans.marks().isComplete(old.digest()));
    }

    @Test
    void aStepOfTheClockDoesNotChangeTheOrderOfUse() throws Exception {
        now = now.plus(Duration.ofDays(9));
        SamplePlan old = pulled(7);
        now = now.minus(Duration.ofDays(18));
        SamplePlan recent = pulled(8);
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(recent)).isEqualTo(15);
        assertThat(held(old)).isLessThan(15);
    }

    @Test
    void whatContainersRunOnGoesLast() throws Exception {
        SamplePlan used = pulled(7);
        SamplePlan recent = pulled(8);
        mounted.add(used.plan().topChain());
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(used)).isEqualTo(15);
        assertThat(held(recent)).isLessThan(15);
        keeper(OWN_BYTES).pass();
        assertThat(held(used)).as("the service gives it").isLessThan(15);
    }

    @Test
    void whatContainersRunOnStaysWhileItCannotBeFetchedAgain() throws Exception {
        SamplePlan used = pulled(7);
        mounted.add(used.plan().topChain());
        registry.close();
        keeper(1).pass();
        assertThat(held(used)).isEqualTo(15);
        assertThat(events.recent().getLast().text()).contains("all of it is needed now");
    }

    @Test
    void theEndOfContainersIsTheLastUseOfTheirPlan() throws Exception {
        SamplePlan used = pulled(7);
        SamplePlan recent = pulled(8);
        mounted.add(used.plan().topChain());
        keeper(0).touchUsed();
        mounted.clear();
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(used)).isEqualTo(15);
        assertThat(held(recent)).isLessThan(15);
    }

    @Test
    void whatContainerdRemovedGoesFirst() throws Exception {
        SamplePlan old = pulled(7);
        SamplePlan removed = pulled(8);
        node.released(removed.plan().topChain(), () -> true);
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(old)).isEqualTo(15);
        assertThat(held(removed)).isLessThan(15);
    }

    @Test
    void aDiskThatOthersFillStripsTheStoreToItsBoundOnly() throws Exception {
        pulled(7);
        pulled(8);
        long before = store.usage().bytes();
        free = () -> before - store.usage(Tier.CAPACITY).bytes();
        StorageKeeper keeper = keeper(0, 1_000_000, STARTUP_BYTES);
        keeper.pass();
        keeper.pass();
        assertThat(store.usage().bytes()).isBetween(STARTUP_BYTES - 2_000L, (long) STARTUP_BYTES);
        keeper.pass();
        assertThat(store.usage().bytes()).isGreaterThanOrEqualTo(STARTUP_BYTES - 2_000L);
        assertThat(events.recent().getLast().text()).contains("--store-least");
    }

    @Test
    void evictionStopsWhenDroppingFreesNothing() throws Exception {
        pulled(7);
        pulled(8);
        long before = store.usage().bytes();
        free = () -> 1_000;
        StorageKeeper keeper = keeper(0, 5_000, 0);
        for (int i = 0; i < 5; i++) {
            keeper.pass();
        }
        assertThat(before - store.usage().bytes()).isEqualTo(4_000);
        assertThat(events.recent().getLast().text()).contains("eviction for free space pauses");
    }

    @Test
    void aPlanIsForgottenWhenNobodyUsesItAndContainerdDoesNotHaveItsImage() throws Exception {
        SamplePlan unused = pulled(7);
        SamplePlan had = pulled(8);
        SamplePlan running = pulled(9);
        claimed.add(had.plan().topChain());
        mounted.add(running.plan().topChain());
        StorageKeeper keeper = keeper(0);
        plans.uses().hourPassed();
        now = now.plus(Duration.ofDays(999));
        keeper.forgetUnused();
        assertThat(plans.all()).hasSize(3);
        plans.uses().hourPassed();
        keeper.forgetUnused();
        assertThat(plans.all())
                .extracting(StoredPlan::digest)
                .containsExactlyInAnyOrder(had.digest(), running.digest());
        assertThat(plans.images().has(unused.plan().layers().getLast().metadata()))
                .isFalse();
        assertThat(plans.images().has(had.plan().layers().getLast().metadata())).isTrue();
    }

    @Test
    void withinItsBudgetNothingGoes() throws Exception {
        SamplePlan sample = pulled(7);
        keeper(STARTUP_BYTES).pass();
        keeper(0).pass();
        assertThat(held(sample)).isEqualTo(15);
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
    }

    @Test
    void whatIsBeingPulledIsNotEvicted() throws Exception {
        registry.first = 6;
        SamplePlan sample = new SamplePlan(7, 5, 5, 2_000);
        registry.add(sample);
        registry.gate.drainPermits();
        registry.gate.release(1);
        assertThat(node.isPlanned(sample.wanted())).isTrue();
        await(() -> held(sample) == 6);
        keeper(1).pass();
        assertThat(held(sample)).isEqualTo(6);
        assertThat(events.recent().getLast().text()).contains("all of it is needed now", "--store-budget");
        registry.gate.release(100);
        await(() -> held(sample) == 15);
    }

    @Test
    void whatContainersWithoutAGateMayReadIsNotEvicted() throws Exception {
        SamplePlan sample = pulled(7);
        mounted.add(sample.plan().topChain());
        node.retention().gateReplaced(true);
        await(() -> sample.plan().objects().stream().allMatch(object -> store.has(object.digest())));
        await(() -> pulls.running().isEmpty());
        keeper(1).pass();
        assertThat(store.usage().objects()).isEqualTo(18);
        mounted.clear();
        keeper(1).pass();
        assertThat(store.usage().objects()).isZero();
    }

    @Test
    void aFullFastTierGivesWayToWhatStartsNow() throws Exception {
        reopenWithFastTier();
        SamplePlan first = pulled(7);
        SamplePlan second = pulled(8);
        SamplePlan third = pulled(9);
        assertThat(store.usage(Tier.FAST).bytes()).isBetween(FAST_BYTES - 2_000, FAST_BYTES);
        assertThat(store.usage(Tier.CAPACITY).bytes()).isPositive();
        keeper(0).pass();
        assertThat(store.usage(Tier.FAST).bytes()).isLessThanOrEqualTo(FAST_BYTES * 75 / 100);
        assertThat(own(first)).anyMatch(object -> isIn(Tier.CAPACITY, object));
        assertThat(shared(first)).allMatch(object -> isIn(Tier.FAST, object));
        assertThat(own(second)).allMatch(object -> isIn(Tier.FAST, object));
        assertThat(held(first) + held(second) + held(third)).isEqualTo(45);
        assertThat(plans.marks().isComplete(first.digest())).isTrue();
    }

    @Test
    void whatStartsOftenComesToTheFastTier() throws Exception {
        SamplePlan sample = pulled(7);
        reopenWithFastTier();
        node.starting(sample.plan().topChain());
        keeper(0).pass();
        assertThat(store.usage(Tier.FAST).objects()).as("after one start").isZero();
        now = now.plusSeconds(60);
        node.starting(sample.plan().topChain());
        keeper(0).pass();
        assertThat(sample.plan().startup()).allMatch(object -> isIn(Tier.FAST, object.digest()));
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
    }

    @Test
    void startsAreRememberedAcrossRestartsForAWhile() throws Exception {
        SamplePlan sample = pulled(7);
        node.starting(sample.plan().topChain());
        node.starting(sample.plan().topChain());
        plans.uses().flush();
        long used = plans.uses().last(sample.digest());
        shut();
        open(Optional.empty());
        assertThat(plans.uses().last(sample.digest())).isEqualTo(used).isPositive();
        assertThat(plans.uses().starts(sample.digest(), now.minusSeconds(3600))).isEqualTo(2);
        assertThat(plans.uses().starts(sample.digest(), now.plusSeconds(1))).isZero();
    }

    @Test
    void pruneDropsWhatNoPlanNeeds() throws Exception {
        SamplePlan sample = pulled(7);
        byte[] stray = {1, 2, 3};
        store.publish(Digest.of(stray), ByteBuffer.wrap(stray));
        assertThat(keeper(0).prune(false)).isEqualTo(new StorageKeeper.Pruned(1, 3, 0, 0, 0, 1));
        assertThat(held(sample)).isEqualTo(15);
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
    }

    @Test
    void pruneAllLeavesAnEmptyNodeThatPullsAgain() throws Exception {
        SamplePlan sample = pulled(7);
        StorageKeeper.Pruned pruned = keeper(0).prune(true);
        assertThat(pruned).isEqualTo(new StorageKeeper.Pruned(15, STARTUP_BYTES, 1, 1, 9_000, 0));
        assertThat(plans.all()).isEmpty();
        assertThat(root.resolve("metadata")).isEmptyDirectory();
        assertThat(store.usage().objects()).isZero();
        int before = registry.requests().size();
        assertThat(node.isPlanned(sample.wanted())).isTrue();
        assertThat(registry.requests()).hasSizeGreaterThan(before);
        pull(sample);
        assertThat(held(sample)).isEqualTo(15);
    }

    @Test
    void pruneAllKeepsWhatIsMounted() throws Exception {
        SamplePlan used = pulled(7);
        SamplePlan unused = pulled(8);
        mounted.add(used.plan().topChain());
        assertThat(keeper(0).prune(true).keptPlans()).isEqualTo(1);
        assertThat(held(used)).isEqualTo(15);
        assertThat(plans.marks().isComplete(used.digest())).isTrue();
        assertThat(own(unused)).noneMatch(store::has);
        assertThat(plans.find(unused.plan().topChain())).isEmpty();
        assertThat(plans.find(used.plan().topChain())).isPresent();
    }

    @Test
    void anotherFastTierMakesThePlansIncomplete() throws Exception {
        SamplePlan sample = pulled(7);
        plans.marks().useFastTier(Optional.empty(), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
        plans.marks().useFastTier(Optional.of("a"), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isFalse();
        shut();
        open(Optional.empty());
        pull(sample);
        // A process that ends has flushed, and writes no mark later.
        shut();
        open(Optional.empty());
        plans.marks().useFastTier(Optional.of("a"), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
        plans.marks().useFastTier(Optional.empty(), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isFalse();
    }

    private boolean isIn(Tier tier, Digest object) {
        return store.tierOf(object).filter(tier::equals).isPresent();
    }
}
