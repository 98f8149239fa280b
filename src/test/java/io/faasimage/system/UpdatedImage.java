package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Two versions of a planned image, in the second of which a few files are others. */
final class UpdatedImage {
    private static final int FILE_BYTES = 400_000;
    private static final int STARTUP_FILES = 20;
    private static final int OTHER_FILES = 6;
    private static final int CHANGED = 4;
    private static final String COMMAND = "cat /app/startup* | sha256sum; sleep 600 & wait";

    private final Cluster cluster;
    private final String first;
    private final String second;
    private final String lastFile;

    private UpdatedImage(Cluster cluster, String first, String second, String lastFile) {
        this.cluster = cluster;
        this.first = first;
        this.second = second;
        this.lastFile = lastFile;
    }

    static UpdatedImage planned(RunningCluster running, Path content) throws IOException, InterruptedException {
        BusyboxImages images = running.images();
        Files.createDirectories(content.resolve("app"));
        write(content, "startup", 0, STARTUP_FILES, 1);
        write(content, "other", 0, OTHER_FILES, 1);
        String first = images.push("update", "1", content, COMMAND);
        images.plan(first, "update1");
        write(content, "startup", STARTUP_FILES - CHANGED, STARTUP_FILES, 2);
        write(content, "other", 0, CHANGED, 2);
        String second = images.push("update", "2", content, COMMAND);
        images.plan(second, "update2");
        Digest last = Digest.of(Files.readAllBytes(content.resolve("app/startup19.bin")));
        return new UpdatedImage(running.cluster(), first, second, last.hex());
    }

    /** Pulls the second version on a node that holds the first. */
    void assertMovesTheChangedStartUpObjectsAndLittleMore() throws IOException, InterruptedException {
        cluster.agent.prune();
        assertThat(cluster.agent.pull(first).objectBytes()).isGreaterThan((long) STARTUP_FILES * FILE_BYTES);
        assertMovedOnlyTheChange(cluster.agent.pull(second));
        cluster.containers.runWaiting(second, "updated");
        assertThat(cluster.containers
                        .exec("updated", "cat /app/startup19.bin | sha256sum")
                        .ok())
                .startsWith(lastFile);
    }

    /** Manifest, configuration, plan and metadata image are among the five hundredths. */
    private static void assertMovedOnlyTheChange(PullOutcome update) {
        long changed = (long) CHANGED * FILE_BYTES;
        assertThat(update.way()).isEqualTo("planned");
        assertThat(update.objects()).isEqualTo(CHANGED);
        assertThat(update.objectsMissing()).isZero();
        assertThat(update.bytesMoved()).isBetween(changed, changed * 105 / 100);
    }

    private static void write(Path content, String name, int from, int to, long version) throws IOException {
        for (int i = from; i < to; i++) {
            byte[] bytes = new byte[FILE_BYTES];
            new Random(version * 1000 + name.length() * 100L + i).nextBytes(bytes);
            Files.write(content.resolve("app").resolve("%s%02d.bin".formatted(name, i)), bytes);
        }
    }
}
