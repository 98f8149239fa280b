package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.Mounts;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Removals against resistance. Needs root. */
class SnapshotRemovalsIT extends AbstractPlannedSnapshotIT {
    private static final int SNAPSHOTS = 200;

    @Test
    void aRemovalGoesOnPastAFileThatCannotBeDeleted() throws Exception {
        snapshotter.prepare("c", "", Map.of());
        Path files = directory.resolve("root/snapshots/2/fs");
        Files.createDirectories(files.resolve("a/deep"));
        Path fixed = Files.writeString(files.resolve("a/fixed"), "x");
        Files.writeString(files.resolve("a/deep/file"), "x");
        Files.writeString(files.resolve("z"), "x");
        Path left = directory.resolve("root/snapshots/rm-2/fs");
        Command.run(Duration.ofSeconds(10), List.of("chattr", "+i", fixed.toString()));
        try {
            snapshotter.remove("c");
            snapshotter.cleanup();
            try (var entries = Files.walk(left)) {
                assertThat(entries).containsExactlyInAnyOrder(left, left.resolve("a"), left.resolve("a/fixed"));
            }
        } finally {
            Command.run(
                    Duration.ofSeconds(10),
                    List.of("chattr", "-i", left.resolve("a/fixed").toString()));
        }
        snapshotter.cleanup();
        assertThat(left.getParent()).doesNotExist();
    }

    @Test
    void aFullDiskLetsEverySnapshotBeRemoved() throws Exception {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        Mounts.mount("none", disk, "tmpfs", List.of("size=8m"));
        try (Snapshotter full = new Snapshotter(disk, plans, StartTracing.NONE, Clock.systemUTC())) {
            for (int i = 0; i < SNAPSHOTS; i++) {
                full.prepare("ns/1/c" + i, "", Map.of());
            }
            fillUp(disk.resolve("of others"));

            for (int i = 0; i < SNAPSHOTS; i++) {
                full.remove("ns/1/c" + i);
                fillUp(disk.resolve("of others, later"));
            }
            full.cleanup();

            assertThat(full.list()).isEmpty();
            assertThat(disk.resolve("snapshots")).isEmptyDirectory();
            Files.delete(disk.resolve("of others"));
            Files.delete(disk.resolve("of others, later"));
            full.prepare("ns/1/again", "", Map.of());
        } finally {
            Mounts.detach(disk);
        }
    }

    private static void fillUp(Path file) {
        byte[] page = new byte[4096];
        try (OutputStream output = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                output.write(page);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }
}
