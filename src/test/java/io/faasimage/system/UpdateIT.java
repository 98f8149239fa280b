package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A node that holds version 1 of an image and pulls version 2, in which a few files are others. */
final class UpdateIT {
    private static final int FILE_BYTES = 400_000;
    private static final int STARTUP_FILES = 20;
    private static final int OTHER_FILES = 6;
    private static final int CHANGED = 4;
    private static final String COMMAND = "cat /app/startup* | sha256sum; sleep 600 & wait";

    @TempDir
    private Path work;

    @Test
    void movesTheChangedStartUpObjectsAndLittleMore() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.start()) {
            BusyboxImages images = new BusyboxImages(cluster, work);
            Path content = work.resolve("content");
            Files.createDirectories(content.resolve("app"));
            write(content, "startup", 0, STARTUP_FILES, 1);
            write(content, "other", 0, OTHER_FILES, 1);
            String first = images.push("update", "1", content, COMMAND);
            images.plan(first, "update1");
            write(content, "startup", STARTUP_FILES - CHANGED, STARTUP_FILES, 2);
            write(content, "other", 0, CHANGED, 2);
            String second = images.push("update", "2", content, COMMAND);
            images.plan(second, "update2");
            assertThat(cluster.faasimageJson("node", "prune", "--all")
                            .path("keptPlans")
                            .asInt())
                    .isZero();
            JsonNode whole = cluster.faasimageJson("pull", "--wait", first);
            assertThat(whole.path("objectBytes").asLong()).isGreaterThan((long) STARTUP_FILES * FILE_BYTES);
            JsonNode update = cluster.faasimageJson("pull", "--wait", second);
            assertMovedOnlyTheChange(update);
            cluster.runWaiting(second, "updated");
            String sum = cluster.exec("updated", "cat /app/startup19.bin | sha256sum")
                    .ok();
            assertThat(sum)
                    .startsWith(Digest.of(Files.readAllBytes(content.resolve("app/startup19.bin")))
                            .hex());
        }
    }

    /** Manifest, configuration, plan and metadata image are among the five hundredths. */
    private static void assertMovedOnlyTheChange(JsonNode update) {
        long changed = (long) CHANGED * FILE_BYTES;
        assertThat(update.path("way").asString()).isEqualTo("planned");
        assertThat(update.path("objects").asInt()).isEqualTo(CHANGED);
        assertThat(update.path("objectsMissing").asInt()).isZero();
        assertThat(update.path("bytesMoved").asLong()).isBetween(changed, changed * 105 / 100);
    }

    private static void write(Path content, String name, int from, int to, long version) throws IOException {
        for (int i = from; i < to; i++) {
            byte[] bytes = new byte[FILE_BYTES];
            new Random(version * 1000 + name.length() * 100L + i).nextBytes(bytes);
            Files.write(content.resolve("app").resolve("%s%02d.bin".formatted(name, i)), bytes);
        }
    }
}
