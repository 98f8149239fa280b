package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.testing.Wait;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
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

    private LayerSource layers(SamplePlan sample, List<Digest> asked) {
        return (object, asFile) -> {
            asked.add(object);
            byte[] content = sample.content(object);
            try {
                pulls.contents().keep(object, content.length, () -> new ByteArrayInputStream(content), asFile);
                return CompletableFuture.completedFuture(null);
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        };
    }

    @Test
    void aServiceThatIsAwayIsWaitedForBrieflyAndThenTheLayersAreRead() throws Exception {
        SamplePlan sample = served(7, 1, 3_000);
        Digest one = sample.plan().rest().getFirst().digest();
        List<Digest> asked = new CopyOnWriteArrayList<>();
        pulls.fallBackOn(layers(sample, asked));
        registry.close();
        long begin = System.nanoTime();
        pulls.demand().fetch(one, () -> {});
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(15));
        assertThat(store.has(one)).isTrue();
        assertThat(asked).containsExactly(one);
        assertThat(pulls.demand().counts().layers()).isEqualTo(1);
    }

    @Test
    void aServiceThatHangsDoesNotHoldTheLayersUp() throws Exception {
        SamplePlan sample = served(7, 1, 3_000);
        Digest one = sample.plan().rest().getFirst().digest();
        List<Digest> asked = new CopyOnWriteArrayList<>();
        pulls.fallBackOn(layers(sample, asked));
        registry.objectsHeldBack = new CountDownLatch(1);
        long begin = System.nanoTime();
        pulls.demand().fetch(one, () -> {});
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
        assertThat(asked).containsExactly(one);
        registry.objectsHeldBack.countDown();
    }

    @Test
    void aServiceThatSendsSlowlyIsLeftAlone() throws Exception {
        served(7, 1, 3_000);
        List<Digest> asked = new CopyOnWriteArrayList<>();
        pulls.fallBackOn((object, _) -> {
            asked.add(object);
            return new CompletableFuture<>();
        });
        AtomicBoolean isHere = new AtomicBoolean();
        pulls.demand()
                .fetch(
                        new Demand.Needed() {
                            @Override
                            public Digest object() {
                                return Digest.of(new byte[1]);
                            }

                            @Override
                            public boolean isHere() {
                                return isHere.get();
                            }

                            @Override
                            public boolean isFile() {
                                return true;
                            }

                            @Override
                            public void fetch(UnaryOperator<InputStream> guard) throws IOException {
                                guard.apply(new Drip()).readAllBytes();
                                isHere.set(true);
                            }
                        },
                        () -> {});
        assertThat(asked).isEmpty();
    }

    /** Five bytes, one each second. */
    private static final class Drip extends InputStream {
        private int left = 5;

        @Override
        public int read() {
            LockSupport.parkNanos(1_000_000_000);
            return left-- > 0 ? 1 : -1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return read() < 0 ? -1 : 1;
        }
    }

    @Test
    void whatNeitherHasIsAnErrorWithBothReasons() {
        served(7, 1, 3_000);
        Digest unknown = Digest.of(new byte[] {1, 2, 3});
        pulls.fallBackOn((_, _) -> CompletableFuture.failedFuture(new IOException("no layer has it")));
        assertThatThrownBy(() -> pulls.demand().fetch(unknown, () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not have object")
                .hasMessageContaining("no layer has it");
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
