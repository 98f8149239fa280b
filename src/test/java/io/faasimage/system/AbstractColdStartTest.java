package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The cold starts that are the same however a planned image is mounted, on a cluster of the subclass. */
abstract class AbstractColdStartTest {
    private final RunningCluster running;

    AbstractColdStartTest(RunningCluster running) {
        this.running = running;
    }

    /** Checks that root file systems are mounted in the way that the subclass is about. */
    abstract void assertMounted(JsonNode status);

    @Test
    void aPlannedImageStartsAndShowsExactlyItsFiles() throws IOException, InterruptedException {
        String image = running.images().planned("exact");
        running.start(image, "exact");
        reads("exact", "cat /app/start.txt /app/never.txt")
                .isEqualTo("read at the start of exact\nnot read at the start of exact\n");
        reads("exact", "cat '/app/with space é.txt'").isEqualTo("odd name in exact\n");
        reads("exact", "cat /app/$(printf '\\377\\376').bin").isEqualTo("raw bytes");
        reads("exact", "echo changed > /app/start.txt; chown 7 /app/never.txt; cat /app/*t.txt")
                .isEqualTo("changed\n");
        assertMounted(running.cluster().agent.status());
        JsonNode inspected = running.cluster().faasimageJson("image", "inspect", image);
        assertThat(inspected.path("tracedFiles").asInt()).isPositive();
        assertThat(inspected.path("segments").size()).isEqualTo(3);
    }

    @Test
    void everyEntryIsAsTheOverlayfsSnapshotterShowsIt(@TempDir Path work) throws IOException, InterruptedException {
        AwkwardImage.planned(running.cluster(), work).assertShownAsByOverlayfs();
    }

    @Test
    void withoutTheServiceMissingFilesComeFromTheImagesLayers() throws IOException, InterruptedException {
        running.start(running.images().planned("layers"), "layers");
        running.cluster().killService();
        try {
            long start = System.nanoTime();
            reads("layers", "cat /app/late0.txt").isEqualTo("late 0 of layers\n");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
            start = System.nanoTime();
            reads("layers", "cat /app/never.txt /app/late1.txt")
                    .isEqualTo("not read at the start of layers\nlate 1 of layers\n");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        } finally {
            running.cluster().startService();
        }
    }

    @Test
    void withoutAnySourceAMissIsAnErrorInBoundedTimeAndWorksLater() throws IOException, InterruptedException {
        String image = running.images().planned("miss");
        running.start(image, "miss");
        // Nothing says any more where it is from; the agent remembers how it was pulled until it ends.
        running.cluster().containers.ctr("images", "rm", "--sync", image).ok();
        running.cluster().agent.restart();
        running.cluster().killService();
        try {
            long start = System.nanoTime();
            Shell.Result read = running.cluster().containers.exec("miss", "cat /app/late0.txt");
            assertThat(read.exit()).isNotZero();
            assertThat(read.out() + read.err()).contains("Input/output error").doesNotContain("No such file");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        } finally {
            running.cluster().startService();
        }
        Wait.until(Duration.ofSeconds(20), "the file", () -> {
            Shell.Result read = running.cluster().containers.exec("miss", "cat /app/late0.txt");
            return read.exit() == 0 && read.out().equals("late 0 of miss\n");
        });
    }

    @Test
    void anOrdinaryImageOnALayerOfAPlannedOne() throws IOException, InterruptedException {
        String planned = running.images().planned("lower");
        running.start(planned, "lower");
        String ordinary = running.images().image("upper");
        running.images().register(ordinary, "upper");
        running.cluster().agent.pull(ordinary);
        running.cluster().containers.runWaiting(ordinary, "upper");
        reads("upper", "cat /etc/shared.conf /app/start.txt")
                .isEqualTo("of the base layer\nread at the start of upper\n");
        reads("upper", "chown 7 /etc/shared.conf && cat /etc/shared.conf").isEqualTo("of the base layer\n");
        running.cluster().containers.runWaiting(planned, "beside");
        reads("beside", "cat /app/start.txt").isEqualTo("read at the start of lower\n");
    }

    private AbstractStringAssert<?> reads(String id, String script) throws IOException, InterruptedException {
        return assertThat(running.cluster().containers.exec(id, script).ok());
    }
}
