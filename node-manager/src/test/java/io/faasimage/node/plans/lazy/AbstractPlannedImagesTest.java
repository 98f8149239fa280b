package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.prefetch.PlanConfig;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Planned images of a node, and a registry that a test fills. */
abstract class AbstractPlannedImagesTest {
    @TempDir
    Path root;

    final Events events = new Events(100, InstantSource.system());
    SmallService registry;
    TestNode opened;
    ObjectStore store;
    PlanStore plans;
    Pulls pulls;
    PlannedImages node;
    PlanConfig config = PlanConfig.standard();
    Optional<String> gateDown = Optional.empty();

    PulledManifests manifests = PulledManifests.NAMED;
    PlanTrust trust = PlanTrust.EVERY_PLAN;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
        open(registry.link(Duration.ofSeconds(30), Duration.ofSeconds(10)), Optional.empty());
    }

    final class Gate implements GateReadiness {
        @Override
        public void await(Duration limit) {}

        @Override
        public Optional<String> downFor(Duration span) {
            return gateDown;
        }
    }

    final void open(ServiceLink link, Optional<String> unsupported) throws IOException {
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
        opened = TestNode.in(root, events)
                .mounts(new FakeMounts(root))
                .manifests(layer -> manifests.of(layer))
                .gate(new Gate())
                .config(config)
                .trust(trust)
                .unsupported(unsupported)
                .open(link);
        store = opened.store();
        plans = opened.plans();
        pulls = opened.pulls();
        node = opened.images();
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        shut();
    }

    void shut() throws IOException {
        opened.close();
    }

    SamplePlan served(long seed) {
        SamplePlan sample = new SamplePlan(seed, 5, 5, 2_000);
        registry.add(sample);
        return sample;
    }

    /** Waits until the registry has received so many requests, which it counts before it hangs. */
    void awaitRequests(int count) {
        Wait.until(count + " requests", () -> registry.requests().size() >= count);
    }

    static ChainId base(SamplePlan sample) {
        return sample.plan().layers().getFirst().chainId();
    }

    /** Of the pull that runs; when all is held already, of the last one. */
    PullReport startup(SamplePlan sample) throws Exception {
        Optional<Pull> pull = node.prefetch(plans.find(sample.plan().topChain()).orElseThrow());
        return pull.isPresent()
                ? pull.get().done().get(20, TimeUnit.SECONDS)
                : pulls.finished().getLast();
    }

    boolean isPlanned(SamplePlan sample) {
        return node.claim(sample.wanted());
    }

    /** A container starts on the image with this top. */
    void start(ChainId top) throws IOException {
        assertThat(node.open(top, new LazyImages.Purpose(true, false)).lowerdir())
                .isEqualTo(root.toString());
    }

    /** Whether a layer is planned for a client that pulls the sample's image. */
    boolean isPlanned(SamplePlan sample, ChainId chain) {
        return node.claim(
                new WantedLayer(chain, Optional.of(sample.plan().image()), PullProof.Purpose.START, 1, "default"));
    }

    void awaitHeld(SamplePlan sample) {
        Wait.until(
                "the end of the pull",
                () -> pulls.finished().stream().anyMatch(report -> report.plan().equals(sample.digest())));
        assertThat(sample.plan().startup()).allMatch(object -> store.has(object.digest()));
    }
}
