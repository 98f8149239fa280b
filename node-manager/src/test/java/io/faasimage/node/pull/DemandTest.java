package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DemandTest extends AbstractPullsTest {
    @Test
    void whatIsOnItsWayIsWaitedForAndNotFetchedTwice() throws Exception {
        SamplePlan sample = served(7, 10, 3_000);
        Digest last = sample.plan().startup().getLast().digest();
        registry.gate.drainPermits();
        Pull pull = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        awaitRequests(1);
        CompletableFuture<Void> demand = CompletableFuture.runAsync(() -> fetch(last));
        Wait.until("a waiting look-up", () -> pulls.demand().counts().waited() == 1);
        registry.gate.release(100);
        demand.get(20, TimeUnit.SECONDS);
        assertThat(store.has(last)).isTrue();
        assertThat(pull.done().get(20, TimeUnit.SECONDS).complete()).isTrue();
        assertThat(registry.requests()).containsExactly("bundle 0-30");
        assertThat(pulls.demand().counts().fetched()).isZero();
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
        assertThat(askedFor()).hasSize(119 * 7).allMatch(number -> number < 119 * 7);
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
    void damagedAnswersAreOutlasted() throws Exception {
        SamplePlan sample = served(7, 1, 3_000);
        Digest one = sample.plan().rest().getFirst().digest();
        registry.damage(one);
        registry.damagedAnswers.set(6);
        pulls.demand().fetch(one, () -> {});
        assertThat(store.has(one)).isTrue();
        assertThat(registry.requests()).hasSize(7);
    }

    @Test
    void anObjectThatStaysDamagedIsGivenUp() throws Exception {
        SamplePlan sample = served(7, 1, 3_000);
        Digest one = sample.plan().rest().getFirst().digest();
        registry.damage(one);
        registry.damagedSingly = true;
        assertThatThrownBy(() -> pulls.demand().fetch(one, () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("8 attempts");
        assertThat(store.has(one)).isFalse();
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
}
