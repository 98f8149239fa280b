package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.pull.Pulls.Urgency;
import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PullsTest extends AbstractPullsTest {
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
        assertThat(askedFor()).hasSize(120 * 7).doesNotHaveDuplicates();
        assertHeld(sample, sample.plan().startup());
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
        Wait.until("a waiting look-up", () -> pulls.demand().counts().waited() == 1);
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
    void leavesNoTemporaryFiles() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        registry.damage(sample.plan().startup().getFirst().digest());
        registry.cuts.set(1);
        pull(sample, Part.STARTUP);
        // Until then, the names there list the objects that a crash may damage.
        assertThat(store.checkpoint()).isTrue();
        try (Stream<Path> files = Files.walk(root.resolve("incoming"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(f -> !f.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }
}
