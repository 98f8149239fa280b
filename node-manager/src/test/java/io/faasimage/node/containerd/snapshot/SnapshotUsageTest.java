package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotUsageTest extends AbstractSnapshotterTest {
    private static final int DEEP = 300;

    @Test
    void usageCountsHardLinksOnce() throws IOException {
        snapshotter.prepare("a", "", Map.of());
        Path upper = root.resolve("snapshots/1/fs");
        Path file = Files.write(upper.resolve("file"), new byte[5000]);
        Files.createLink(upper.resolve("link"), file);
        Files.createSymbolicLink(upper.resolve("symbolic"), file);

        Usage active = snapshotter.usage("a");
        snapshotter.commit("layer", "a", "", Map.of());

        assertThat(active).isEqualTo(new Usage(4096 + 8192, 3));
        assertThat(snapshotter.usage("layer")).isEqualTo(active);
    }

    @Test
    void usageCountsBlocksAndNoHoles() throws IOException {
        snapshotter.prepare("a", "", Map.of());
        Path directory = root.resolve("snapshots/1/fs");
        try (RandomAccessFile sparse =
                new RandomAccessFile(directory.resolve("lastlog").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        Files.write(directory.resolve("full"), new byte[300_000]);

        assertThat(snapshotter.usage("a").bytes()).isBetween(300_000L, 400_000L);
    }

    @Test
    void pathsLongerThanTheKernelTakesAtOnceAreCountedCommittedAndRemoved() throws Exception {
        snapshotter.prepare("a", "", Map.of());
        snapshotter.prepare("b", "", Map.of());
        for (int id = 1; id <= 2; id++) {
            deepTree(root.resolve("snapshots/" + id + "/fs"));
        }

        Usage usage = snapshotter.usage("a");
        assertThat(usage.bytes()).isGreaterThan(100_000);
        assertThat(usage.inodes()).isEqualTo(3 + DEEP);
        snapshotter.commit("layer", "a", "", Map.of());
        assertThat(snapshotter.usage("layer")).isEqualTo(usage);
        snapshotter.remove("layer");
        snapshotter.remove("b");
        snapshotter.cleanup();

        assertThat(root.resolve("snapshots")).isEmptyDirectory();
    }

    /** Directories with 200 letters each, a file in the last, and a file beside the first. */
    private static void deepTree(Path directory) throws Exception {
        String script = """
                import os
                open("beside", "w").write("x")
                for i in range(%d):
                    os.mkdir("a" * 200)
                    os.chdir("a" * 200)
                open("big", "wb").write(bytes(100000))
                """.formatted(DEEP);
        Command.Result made =
                Command.attempt(Duration.ofMinutes(1), Map.of(), directory, List.of("python3", "-c", script));
        assertThat(made.status()).as(made.output()).isZero();
    }
}
