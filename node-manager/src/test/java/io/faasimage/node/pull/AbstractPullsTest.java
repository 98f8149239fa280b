package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Packs;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Pulls from a registry that a test fills. */
abstract class AbstractPullsTest {
    static final PullConfig CONFIG = new PullConfig(
            2,
            256 << 10,
            64 << 10,
            3,
            Duration.ofMillis(1),
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            4,
            4,
            3,
            Duration.ofMillis(20),
            Duration.ofMillis(100),
            0,
            5);

    @TempDir
    Path root;

    final Events events = new Events(100, InstantSource.system());
    SmallService registry;
    ObjectStore store;
    Pulls pulls;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
        store = ObjectStore.open(root, "node", packs());
        pulls = pulls(Duration.ofMillis(1));
    }

    /** Those of the store. */
    Optional<Packs.Opening> packs() throws IOException {
        return Optional.empty();
    }

    Pulls pulls(Duration breaker) {
        return new Pulls(registry.link(breaker), store, CONFIG, events, InstantSource.system());
    }

    @AfterEach
    void stop() throws IOException {
        pulls.close();
        store.close();
        registry.close();
    }

    PullReport pull(SamplePlan sample, Part part) throws Exception {
        return pulls.start(sample.digest(), sample::plan, part).done().get(20, TimeUnit.SECONDS);
    }

    SamplePlan served(long seed, int objects, int bytes) {
        SamplePlan sample = new SamplePlan(seed, objects, objects, bytes);
        registry.add(sample);
        return sample;
    }

    void assertHeld(SamplePlan sample, List<PlanObject> objects) throws IOException {
        for (PlanObject object : objects) {
            assertThat(Files.readAllBytes(store.path(object.digest()))).isEqualTo(sample.content(object.digest()));
        }
    }

    /** The plan's numbers that bundles were requested for, one by one. */
    List<Integer> askedFor() {
        return registry.requests().stream()
                .filter(line -> line.startsWith("bundle "))
                .flatMap(line -> Stream.of(line.substring("bundle ".length()).split("[, ]")))
                .filter(range -> range.contains("-"))
                .flatMapToInt(range -> IntStream.range(
                        Integer.parseInt(range.substring(0, range.indexOf('-'))),
                        Integer.parseInt(range.substring(range.indexOf('-') + 1))))
                .boxed()
                .toList();
    }

    void awaitRequests(int count) {
        Wait.until(count + " requests", () -> registry.requests().size() >= count);
    }

    void fetch(Digest digest) {
        try {
            pulls.demand().fetch(digest, () -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
