package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.node.link.service.SamplePlan;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PullFailuresTest extends AbstractPullsTest {
    @Test
    void aCutStreamGoesOnAtItsFrame() throws Exception {
        SamplePlan sample = served(7, 20, 30_000);
        registry.cuts.set(1);
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(registry.requests().get(1)).matches("bundle [0-9]+-[0-9]+");
        assertThat(askedFor()).hasSizeLessThan(2 * 60).contains(0, 59);
        long whole = sample.compressed().values().stream()
                .mapToLong(frame -> frame.length + 100)
                .sum();
        // The first answer is counted whole, though half of it came.
        assertThat(registry.sent.get()).isLessThan(whole);
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void aLargeObjectGoesOnAtTheFrameAtWhichItStopped() throws Exception {
        SamplePlan sample = served(7, 1, 8 << 20);
        registry.cuts.set(1);
        assertThat(pull(sample, Part.STARTUP).complete()).isTrue();
        int frames = (8 << 20) / ObjectFrames.CONTENT_BYTES;
        assertThat(registry.requests())
                .as("requested from the middle of an object on")
                .anyMatch(line -> Integer.parseInt(line.substring("bundle ".length(), line.indexOf('-'))) % frames > 0);
        assertThat(registry.sent.get()).isLessThan(13 << 20);
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void anObjectBeyondThePrefetchListGoesOnWhereItStopped() throws Exception {
        for (int bytes : new int[] {30_000, 8 << 20}) {
            SamplePlan sample = served(bytes, 1, bytes);
            int before = registry.requests().size();
            registry.cuts.set(1);
            assertThat(pull(sample, Part.REST).complete()).isTrue();
            assertThat(registry.requests().subList(before, registry.requests().size()))
                    .anyMatch(line -> line.matches("bundle [0-9]+-[0-9]+ from [0-9]+"));
            assertHeld(sample, sample.plan().rest());
        }
    }

    @Test
    void aPartlyReadObjectThatBecomesAFileComesWhole() throws Exception {
        SamplePlan sample = new SamplePlan(7, 2, 2, 200_000, List.of(new IndexRange(1, 2)));
        registry.add(sample);
        assertThat(pull(sample, Part.STARTUP).complete()).isTrue();
        assertHeld(sample, sample.plan().startup());
    }

    @Test
    void streamsThatNeverAnswerAreGivenUp() throws Exception {
        SamplePlan sample = served(7, 2, 3_000);
        pulls.close();
        pulls = new Pulls(
                registry.link(Duration.ofMillis(1), Duration.ofMillis(100)),
                store,
                CONFIG,
                events,
                InstantSource.system());
        registry.gate.drainPermits();
        PullReport report = pull(sample, Part.STARTUP);
        registry.gate.release(100);
        assertThat(report.missing()).isEqualTo(6);
        assertThat(report.failures()).isNotEmpty();
    }

    @Test
    void aPauseThatTheRegistryAsksForHoldsForAllRequests() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        registry.busy.set(1);
        Pull pull = pulls.start(sample.digest(), sample::plan, Part.STARTUP);
        awaitRequests(1);
        long begin = System.nanoTime();
        pulls.demand().fetch(sample.plan().rest().getFirst().digest(), () -> {});
        PullReport report = pull.done().get(20, TimeUnit.SECONDS);
        assertThat(report.complete()).as("%s", report).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(900));
        assertThat(registry.requests()).hasSize(3);
    }

    @Test
    void aDamagedObjectIsRefusedAndAskedForSingly() throws Exception {
        for (int bytes : new int[] {3_000, 2 << 20}) {
            SamplePlan sample = served(bytes, 3, bytes);
            Digest bad = sample.plan().startup().get(4).digest();
            registry.damage(bad);
            PullReport report = pull(sample, Part.STARTUP);
            assertThat(report.complete()).as("%s", report).isTrue();
            assertThat(registry.requests()).contains("object " + bad.hex());
            assertHeld(sample, sample.plan().startup());
        }
    }

    @Test
    void anObjectThatStaysDamagedFailsAlone() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        Digest bad = sample.plan().startup().get(4).digest();
        registry.damage(bad);
        registry.damagedSingly = true;
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.missing()).isEqualTo(1);
        assertThat(report.failures()).singleElement().asString().contains(bad.hex(), "3 attempts", "damaged");
        assertThat(store.has(bad)).isFalse();
        assertThat(registry.requests())
                .filteredOn(("object " + bad.hex())::equals)
                .as("after the stream")
                .hasSize(2);
        assertThat(events.recent()).anyMatch(e -> e.text().contains(bad.hex()));
    }

    @Test
    void aRegistryThatIsDownFailsSoonWithAReason() throws Exception {
        SamplePlan sample = served(7, 5, 3_000);
        pulls.close();
        pulls = pulls(Duration.ofSeconds(30));
        registry.close();
        PullReport report = pull(sample, Part.STARTUP);
        assertThat(report.missing()).isEqualTo(15);
        assertThat(report.failures()).isNotEmpty();
        assertThat(report.failures().toString()).contains("is registry-service running");
    }
}
