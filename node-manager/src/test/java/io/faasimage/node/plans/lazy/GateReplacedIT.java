package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.Mounts;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls after the death of the gate. Needs root. */
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
                TestNode opened = TestNode.in(root, events).open(registry.link(Duration.ofSeconds(1)))) {
            Pulls pulls = opened.pulls();
            PlannedImages node = opened.images();
            for (long seed = 7; seed <= 9; seed++) {
                SamplePlan sample = new SamplePlan(seed, 5, 5, 2_000);
                registry.add(sample);
                assertThat(node.claim(sample.wanted())).isTrue();
                runContainer(sample, seed < 9);
            }
            // Their prefetch lists were pulled with the requests to the registry.
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
            try (TestNode opened = TestNode.in(root, events).open(registry.link(Duration.ofMillis(100)))) {
                Pulls pulls = opened.pulls();
                PlannedImages node = opened.images();
                assertThat(node.claim(sample.wanted())).isTrue();
                runContainer(sample, true);
                awaitFinished(pulls, 1);
                registry.close();
                node.retention().gateReplaced(true);
                Wait.until(
                        "the pull of the rest",
                        () -> pulls.running(sample.digest(), Part.REST).isPresent());
                assertThat(node.retention().missing(sample.digest()).orElse(0)).isPositive();
            }
        }
        try (SmallService registry = new SmallService();
                TestNode opened = TestNode.in(root, events).open(registry.link(Duration.ofMillis(100)))) {
            PlannedImages node = opened.images();
            registry.add(sample);
            node.retention().resumeWhole();
            Wait.until(
                    "all objects",
                    () -> node.retention().missing(sample.digest()).isEmpty());
            assertThat(sample.plan().objects())
                    .allMatch(object -> opened.store().has(object.digest()));
        }
    }

    private static void awaitFinished(Pulls pulls, int count) {
        Wait.until("the end of " + count + " pulls", () -> pulls.finished().size() >= count);
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
