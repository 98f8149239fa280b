package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.plan.PlanObject;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pull onto a disk that is too small. Needs root. */
class DiskFullIT {
    @TempDir
    private Path temp;

    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        // EROFS mounts no file of a tmpfs.
        Path file = temp.toRealPath().resolve("file");
        disk = Files.createDirectory(temp.toRealPath().resolve("disk"));
        run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", file.toString(), "5m");
        run("mount", "-o", "loop", file.toString(), disk.toString());
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }

    @AfterEach
    void unmount() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(disk)) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsWithAClearErrorAndNothingHalfPublished(boolean inPacks) throws Exception {
        Optional<Packs.Opening> packs =
                inPacks ? Optional.of(() -> Packs.open(disk.resolve("packs"), Optional.empty())) : Optional.empty();
        SamplePlan sample = new SamplePlan(3, 20, 20, 200_000);
        Events events = new Events(100, InstantSource.system());
        try (SmallService registry = new SmallService();
                ObjectStore store = ObjectStore.open(disk, "node", packs);
                Pulls pulls = new Pulls(
                        registry.link(Duration.ofSeconds(5)),
                        store,
                        PullConfig.standard(0),
                        events,
                        InstantSource.system())) {
            registry.add(sample);
            pulls.serve(_ -> Optional.of(sample.plan()));
            PullReport report = pulls.start(sample.digest(), sample::plan, Part.STARTUP)
                    .done()
                    .get(30, TimeUnit.SECONDS);
            assertThat(report.complete()).isFalse();
            assertThat(report.failures().toString()).contains("could not store", "no space", "free space");
            assertOnlyWholeObjects(sample, store);
            if (inPacks) {
                assertDroppedObjectsMakeRoom(sample, store);
            }
            assertNothingIncoming(store);
        }
    }

    private void assertOnlyWholeObjects(SamplePlan sample, ObjectStore store) throws IOException {
        sample.plan().startup().stream()
                .filter(o -> store.has(o.digest()))
                .forEach(object ->
                        assertThat(store.path(object.digest())).hasBinaryContent(sample.content(object.digest())));
    }

    private static void assertDroppedObjectsMakeRoom(SamplePlan sample, ObjectStore store) throws IOException {
        for (PlanObject object : sample.plan().startup()) {
            store.drop(object.digest());
        }
        store.freeDropped();
        assertThat(store.usage().bytes()).isZero();
    }

    private void assertNothingIncoming(ObjectStore store) throws IOException {
        // Until then, the names there list the objects that a crash may damage.
        store.checkpoint();
        try (Stream<Path> files = Files.walk(disk.resolve("incoming"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }
}
