package io.faasimage.node.plans.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.SamplePlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanStoreTest {
    @TempDir
    private Path root;

    private Instant now = Instant.now();
    private final SamplePlan sample = new SamplePlan(7, 5, 5, 100);
    private final Digest image = sample.plan().layers().getFirst().metadata();

    @Test
    void aStrayNameDoesNotKeepItFromOpening() throws IOException {
        open().save(PlanCodec.encode(sample.plan()), Optional.empty());
        Files.writeString(root.resolve("plans").resolve("z".repeat(64)), "");
        Files.writeString(root.resolve("plans").resolve("z".repeat(64) + ".uses"), "");
        assertThat(open().all()).hasSize(1);
    }

    @Test
    void metadataImagesAreVerifiedBeforeTheirFirstUseInABoot() throws IOException {
        save(open());
        // Not read again in the boot in which it was written or verified.
        open().images().verify();
        crash();
        PlanStore store = open();
        assertThat(store.images().path(image)).exists();
        assertThat(store.images().has(image)).isFalse();
        assertThat(store.images().path(image)).doesNotExist();
        save(store);
        assertThat(store.images().has(image)).isTrue();
        crash();
        store = open();
        store.images().verify();
        assertThat(store.images().path(image)).doesNotExist();
        assertThat(root.resolve("plans/boot")).hasSameTextualContentAs(Path.of("/proc/sys/kernel/random/boot_id"));
    }

    @Test
    void usesKeepTheirOrderThroughRestarts() throws IOException {
        Digest other = Digest.of(new byte[] {1});
        PlanStore store = open();
        store.uses().touched(sample.digest());
        store.uses().flush();
        store = open();
        store.uses().touched(other);
        assertThat(store.uses().last(other)).isGreaterThan(store.uses().last(sample.digest()));
    }

    private PlanStore open() throws IOException {
        return PlanStore.open(root, PlanTrust.EVERY_PLAN, new Events(10, InstantSource.system()), () -> now);
    }

    private void save(PlanStore store) throws IOException {
        byte[] content = sample.content(image);
        store.images().save(image, content.length, new ByteArrayInputStream(content), false);
    }

    private void crash() throws IOException {
        Files.writeString(root.resolve("plans/boot"), "another boot");
        Files.writeString(root.resolve("metadata").resolve(image.hex() + ".erofs"), "cut");
    }
}
