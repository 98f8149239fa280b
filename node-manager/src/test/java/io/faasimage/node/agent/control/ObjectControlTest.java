package io.faasimage.node.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the service under look-ups and pulls, with the limits that a node has. */
@Timeout(60)
class ObjectControlTest {
    @TempDir
    private Path root;

    private final Events events = new Events(100, InstantSource.system());
    private SmallService registry;
    private ObjectStore store;
    private ServiceLink link;
    private Pulls pulls;
    private ObjectControl control;
    private SamplePlan sample;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
        store = ObjectStore.open(root, "node");
        link = registry.link(Duration.ofSeconds(5));
        pulls = pulls(PullConfig.standard(0));
        control = new ObjectControl(pulls.demand());
        sample = new SamplePlan(7, 30, 30, 3_000);
        registry.add(sample);
    }

    private Pulls pulls(PullConfig config) {
        return new Pulls(link, store, config, events, InstantSource.system());
    }

    @AfterEach
    void stop() throws IOException {
        pulls.close();
        store.close();
        registry.close();
    }

    private void lookUp(Digest digest) throws IOException {
        control.fetch(digest, () -> {});
    }

    private PullReport pull() throws Exception {
        return pulls.start(sample.digest(), sample::plan, Part.STARTUP).done().get(30, TimeUnit.SECONDS);
    }

    @Test
    void oneFailedRequestIsNoFailedLookUp() throws IOException {
        Digest object = sample.plan().rest().getFirst().digest();
        registry.objectFailures.set(1);
        lookUp(object);
        assertThat(store.has(object)).isTrue();
        assertThat(registry.requests()).containsExactly("object " + object.hex(), "object " + object.hex());
    }

    @Test
    void aFailureOfOneObjectStaysWithIt() throws Exception {
        Digest object = sample.plan().rest().getFirst().digest();
        Digest other = sample.plan().rest().get(1).digest();
        registry.objectFailures.set(1);
        registry.failure = 503;
        registry.retryAfter = "20";
        Thread failing = Thread.ofVirtual()
                .start(() -> assertThatThrownBy(() -> lookUp(object)).isInstanceOf(IOException.class));
        Wait.until("the failure", () -> registry.objectFailures.get() == 0);
        CompletableFuture.runAsync(() -> assertThatCode(() -> lookUp(other)).doesNotThrowAnyException())
                .get(15, TimeUnit.SECONDS);
        assertThat(store.has(other)).isTrue();
        failing.interrupt();
    }

    @Test
    void aFailedRequestInThePullLosesNothing() throws Exception {
        registry.rangeFailures.set(1);
        PullReport report = pull();
        assertThat(report.missing()).as("%s", report).isZero();
    }

    @Test
    void aServiceThatRestartsIsWaitedFor() throws Exception {
        Digest object = sample.plan().rest().getFirst().digest();
        registry.close();
        CompletableFuture<Void> lookUp = CompletableFuture.runAsync(
                () -> assertThatCode(() -> lookUp(object)).doesNotThrowAnyException());
        Pull pull = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        awaitFailures(6);
        assertThat(lookUp).isNotDone();
        registry.reopen();
        lookUp.get(30, TimeUnit.SECONDS);
        assertThat(store.has(object)).isTrue();
        assertThat(pull.done().get(30, TimeUnit.SECONDS).missing()).isZero();
    }

    private void awaitFailures(int count) {
        Wait.until(count + " failures", () -> link.failures() >= count);
    }

    @Test
    void aLookUpEndsWithItsLimit() {
        registry.close();
        pulls.close();
        pulls = pulls(PullConfig.standard(0).withLookupLimit(Duration.ofMillis(300)));
        control = new ObjectControl(pulls.demand());
        assertThatThrownBy(() -> lookUp(sample.plan().rest().getFirst().digest()))
                .hasMessageContaining("is registry-service running")
                .hasMessageContaining("attempts");
    }

    @Test
    void whatTheServiceDoesNotHaveFailsAtOnceOnlyWhileItServes() throws Exception {
        Digest unknown = Digest.of(new byte[] {1, 2, 3});
        assertThatThrownBy(() -> lookUp(unknown)).hasMessageContaining("does not have object");
        registry.serving = 503;
        registry.health = 503;
        CompletableFuture<Void> lookUp = CompletableFuture.runAsync(
                () -> assertThatThrownBy(() -> lookUp(unknown)).isInstanceOf(IOException.class));
        long before = link.requests();
        Wait.until("three requests", () -> link.requests() >= before + 3);
        assertThat(lookUp).isNotDone();
        registry.serving = 200;
        lookUp.get(30, TimeUnit.SECONDS);
    }

    @Test
    void manyLookUpsAtOnceAllSucceedAFewAtATime() throws Exception {
        SamplePlan large = new SamplePlan(9, 86, 86, 500);
        registry.add(large);
        registry.objectsHeldBack = new CountDownLatch(1);
        List<CompletableFuture<Void>> lookUps = large.plan().objects().stream()
                .map(object -> CompletableFuture.runAsync(
                        () -> assertThatCode(() -> lookUp(object.digest())).doesNotThrowAnyException(),
                        task -> Thread.ofVirtual().start(task)))
                .toList();
        Wait.until(
                "all look-ups",
                () -> registry.mostObjectsAtOnce.get() >= PullConfig.standard(0).lookups());
        registry.objectsHeldBack.countDown();
        for (CompletableFuture<Void> lookUp : lookUps) {
            lookUp.get(50, TimeUnit.SECONDS);
        }
        assertThat(lookUps).hasSizeGreaterThan(256);
        // The client may have an answer before the server counts it as sent.
        assertThat(registry.mostObjectsAtOnce.get()).isLessThanOrEqualTo(48);
    }

    @Test
    void manyPullsAtOnceAllSucceed() throws Exception {
        List<Pull> all = new ArrayList<>();
        for (int seed = 10; seed < 50; seed++) {
            SamplePlan plan = new SamplePlan(seed, 5, 5, 500);
            registry.add(plan);
            all.add(pulls.start(plan.digest(), plan::plan, Part.STARTUP));
        }
        for (Pull pull : all) {
            assertThat(pull.done().get(50, TimeUnit.SECONDS).missing()).isZero();
        }
    }

    @Test
    void anAnswerThatFailsAtOneObjectBringsTheOthers() throws Exception {
        registry.failAt(sample.plan().startup().get(3).digest());
        PullReport report = pull();
        assertThat(report.missing()).as("%s", report).isZero();
        assertThat(registry.requests())
                .contains("object " + sample.plan().startup().get(3).digest().hex());
    }
}
