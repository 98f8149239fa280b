package io.faasimage.node.plans.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.node.plans.lazy.FakeMounts;
import io.faasimage.node.plans.lazy.PlanRetention;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.lazy.TestNode;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.IOException;
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
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Each plan has 15 objects of 2,000 bytes in its prefetch list, the first 5 in common with every other, and 3 more. */
abstract class AbstractStorageTest {
    static final int STARTUP_BYTES = 30_000;
    static final int OWN_BYTES = 20_000;

    @TempDir
    Path root;

    final Events events = new Events(100, InstantSource.system());
    final Set<ChainId> mounted = new HashSet<>();
    final Set<ChainId> claimed = new HashSet<>();
    Instant now = Instant.now();
    Disk free = () -> Long.MAX_VALUE;
    SmallService registry;
    TestNode opened;
    ObjectStore store;
    PlanStore plans;
    Pulls pulls;
    PlannedImages node;

    @BeforeEach
    void open() throws IOException {
        registry = new SmallService();
        registry.first = 100;
        reopen();
    }

    final void reopen() throws IOException {
        ServiceLink link = registry.link(Duration.ofSeconds(30), Duration.ofSeconds(10));
        opened = TestNode.in(root, events)
                .clock(() -> now)
                .mounts(new SomeMounts())
                .open(link);
        store = opened.store();
        plans = opened.plans();
        pulls = opened.pulls();
        node = opened.images();
    }

    @AfterEach
    void close() throws IOException {
        registry.close();
        shut();
    }

    void shut() throws IOException {
        opened.close();
    }

    /** Those that a test names are mounted. */
    private final class SomeMounts extends FakeMounts {
        SomeMounts() {
            super(root);
        }

        @Override
        public Set<PlanLayer> inUse(Collection<PlanLayer> layers) {
            return layers.stream()
                    .filter(layer -> mounted.contains(layer.chainId()))
                    .collect(Collectors.toSet());
        }
    }

    StorageKeeper keeper(long storeBytes) {
        return keeper(storeBytes, 0, 0);
    }

    StorageKeeper keeper(long storeBytes, long reserveBytes, long leastBytes) {
        Budgets budgets = new Budgets(storeBytes, reserveBytes, leastBytes, Duration.ofHours(1), 2);
        PlanRetention retention = node.retention();
        return new StorageKeeper(
                new UnusedPlans(plans, node, () -> Optional.of(claimed), budgets, events),
                new Eviction(store, plans, retention, () -> free.availableBytes(), budgets, events),
                new Pruning(store, plans, node, events),
                budgets.pass(),
                events);
    }

    /** A plan whose prefetch list is here and marked as complete. */
    SamplePlan pulled(long seed) throws Exception {
        SamplePlan sample = new SamplePlan(seed, 5, 5, 2_000);
        registry.add(sample);
        assertThat(node.claim(sample.wanted())).isTrue();
        pull(sample);
        Wait.until("the mark", () -> plans.states().isComplete(sample.digest()));
        now = now.plusSeconds(60);
        return sample;
    }

    void pull(SamplePlan sample) throws Exception {
        Optional<Pull> pull = node.prefetch(plans.find(sample.plan().topChain()).orElseThrow());
        if (pull.isPresent()) {
            PullReport report = pull.get().done().get(20, TimeUnit.SECONDS);
            assertThat(report.complete()).isTrue();
        }
        Wait.until("the pulls to end", () -> pulls.running().isEmpty());
    }

    static List<Digest> own(SamplePlan sample) {
        return sample.plan().startup().stream().skip(5).map(PlanObject::digest).toList();
    }

    static List<Digest> shared(SamplePlan sample) {
        return sample.plan().startup().stream().limit(5).map(PlanObject::digest).toList();
    }

    long held(SamplePlan sample) {
        return sample.plan().startup().stream()
                .filter(object -> store.has(object.digest()))
                .count();
    }
}
