package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.Mounts;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pull onto a disk that is too small. Needs root. */
class DiskFullIT {
    @TempDir
    private Path disk;

    @BeforeEach
    void mount() throws IOException {
        Mounts.mount("tmpfs", disk, "tmpfs", 0, "size=4m");
    }

    @AfterEach
    void unmount() throws IOException {
        Mounts.detach(disk);
    }

    @Test
    void endsWithAClearErrorAndNothingHalfPublished() throws Exception {
        SamplePlan sample = new SamplePlan(3, 20, 20, 200_000);
        Events events = new Events(100, InstantSource.system());
        try (SmallService registry = new SmallService();
                ObjectStore store = ObjectStore.open(disk, "node");
                Pulls pulls = new Pulls(
                        registry.link(Duration.ofSeconds(5)),
                        store,
                        PullConfig.standard(0),
                        events,
                        InstantSource.system())) {
            registry.add(sample);
            PullReport report = pulls.start(sample.digest(), sample::plan, Part.STARTUP)
                    .done()
                    .get(30, TimeUnit.SECONDS);
            assertThat(report.complete()).isFalse();
            assertThat(report.failures().toString()).contains("could not store", "no space", "free space");
            assertOnlyWholeObjects(sample, store);
        }
    }

    private void assertOnlyWholeObjects(SamplePlan sample, ObjectStore store) throws IOException {
        sample.plan().startup().stream()
                .filter(o -> store.has(o.digest()))
                .forEach(object ->
                        assertThat(store.path(object.digest())).hasBinaryContent(sample.content(object.digest())));
        // Until then, the names there list the objects that a crash may damage.
        store.checkpoint();
        try (Stream<Path> files = Files.walk(disk.resolve("incoming"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }
}
