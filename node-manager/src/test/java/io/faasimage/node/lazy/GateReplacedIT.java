package io.faasimage.node.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.Mounts;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.prefetch.PlanConfig;
import io.faasimage.node.pull.Part;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is pulled when the gate died. Needs root. */
class GateReplacedIT {
    @TempDir
    private Path root;

    private final List<Path> containers = new ArrayList<>();

    @AfterEach
    void unmount() throws IOException {
        for (Path container : containers) {
            Mounts.detach(container);
        }
    }

    @Test
    void thePlansOfContainersArePulledWholeOneAfterTheOther() throws Exception {
        Events events = new Events(100, InstantSource.system());
        try (SmallService registry = new SmallService();
                ObjectStore store = ObjectStore.open(root, "node");
                Pulls pulls = pulls(registry.link(Duration.ofSeconds(1)), store, events);
                PlannedImages node = node(registry.link(Duration.ofSeconds(1)), store, pulls, events)) {
            for (long seed = 7; seed <= 9; seed++) {
                SamplePlan sample = new SamplePlan(seed, 5, 5, 2_000);
                registry.add(sample);
                assertThat(node.isPlanned(sample.wanted())).isTrue();
                runContainer(sample, seed < 9);
            }
            // Their start-up sets were pulled when the registry was asked.
            awaitFinished(pulls, 3);
            assertThat(pulls.finished()).hasSize(3);
            registry.gate.drainPermits();
            node.retention().gateReplaced(true);
            Thread.sleep(500);
            assertThat(pulls.running()).hasSize(1);
            registry.gate.release(100);
            awaitFinished(pulls, 5);
            assertThat(pulls.finished()).hasSize(5).allMatch(PullReport::complete);
            assertThat(pulls.finished().stream()
                            .filter(report -> report.part() == Part.REST)
                            .map(PullReport::plan))
                    .doesNotContain(new SamplePlan(9, 5, 5, 2_000).digest())
                    .hasSize(2);
        }
    }

    @Test
    void whatIsMissingIsPulledAgainUntilNothingIsAlsoByTheNextAgent() throws Exception {
        Events events = new Events(100, InstantSource.system());
        SamplePlan sample = new SamplePlan(7, 5, 5, 2_000);
        try (SmallService registry = new SmallService()) {
            registry.add(sample);
            try (ObjectStore store = ObjectStore.open(root, "node");
                    Pulls pulls = pulls(registry.link(Duration.ofMillis(100)), store, events);
                    PlannedImages node = node(registry.link(Duration.ofMillis(100)), store, pulls, events)) {
                assertThat(node.isPlanned(sample.wanted())).isTrue();
                runContainer(sample, true);
                awaitFinished(pulls, 1);
                registry.close();
                node.retention().gateReplaced(true);
                long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
                while (pulls.running(sample.digest(), Part.REST).isEmpty() && System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                assertThat(node.retention().missing(sample.digest()).orElse(0)).isPositive();
            }
        }
        try (SmallService registry = new SmallService();
                ObjectStore store = ObjectStore.open(root, "node");
                Pulls pulls = pulls(registry.link(Duration.ofMillis(100)), store, events);
                PlannedImages node = node(registry.link(Duration.ofMillis(100)), store, pulls, events)) {
            registry.add(sample);
            node.retention().resumeWhole();
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (node.retention().missing(sample.digest()).isPresent() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(node.retention().missing(sample.digest())).isEmpty();
            assertThat(sample.plan().objects()).allMatch(object -> store.has(object.digest()));
        }
    }

    private static void awaitFinished(Pulls pulls, int count) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (pulls.finished().size() < count && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static Pulls pulls(ServiceLink link, ObjectStore store, Events events) {
        return new Pulls(link, store, PullConfig.standard(0), events, InstantSource.system());
    }

    private PlannedImages node(ServiceLink link, ObjectStore store, Pulls pulls, Events events) throws IOException {
        PlanStore plans = PlanStore.open(root, events, InstantSource.system());
        GateReadiness gate = new GateReadiness() {
            @Override
            public void await(Duration limit) {}

            @Override
            public Optional<String> downFor(Duration span) {
                return Optional.empty();
            }
        };
        return new PlannedImages(
                new PlannedImages.Parts(
                        plans,
                        PulledManifests.NAMED,
                        pulls,
                        link,
                        new RootMounts(root, true, events),
                        gate,
                        store,
                        StartEvents.NONE,
                        StartSpans.NONE,
                        events),
                PlanConfig.standard(),
                Optional.empty());
    }

    /** The metadata directory of a plan, with an overlay on it when there is a container. */
    private void runContainer(SamplePlan sample, boolean running) throws IOException {
        String id = sample.plan().layers().getLast().metadata().hex();
        Path meta = Files.createDirectories(root.resolve("mounts/meta").resolve(id));
        if (running) {
            Path container = Files.createDirectories(root.resolve("container-" + id));
            Path objects = Files.createDirectories(root.resolve("objects"));
            Mounts.mount(
                    "overlay",
                    container,
                    "overlay",
                    Mounts.RDONLY,
                    "lowerdir=" + meta + "::" + objects + ",metacopy=on");
            containers.add(container);
        }
    }
}
