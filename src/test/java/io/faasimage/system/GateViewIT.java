package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Cold starts on root file systems that the gate shows, as on kernels that cannot mount them, and the faults there. */
final class GateViewIT {
    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(() -> Cluster.start(Cluster.Mounts.FUSE));

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    private static void start(String image, String id) throws IOException, InterruptedException {
        assertThat(cluster().faasimageJson("pull", "--wait", image).path("way").asString())
                .isEqualTo("planned");
        cluster().runWaiting(image, id);
    }

    @Test
    void aPlannedImageStartsAndShowsExactlyItsFiles() throws IOException, InterruptedException {
        start(RUNNING.images().planned("exact"), "exact");
        assertThat(cluster().exec("exact", "cat /app/start.txt /app/never.txt").ok())
                .isEqualTo("read at the start of exact\nnot read at the start of exact\n");
        assertThat(cluster().exec("exact", "cat '/app/with space é.txt'").ok()).isEqualTo("odd name in exact\n");
        assertThat(cluster()
                        .exec("exact", "cat /app/$(printf '\\377\\376').bin")
                        .ok())
                .isEqualTo("raw bytes");
        assertThat(cluster()
                        .exec("exact", "echo changed > /app/start.txt; chown 7 /app/never.txt; cat /app/*t.txt")
                        .ok())
                .startsWith("changed\n");
        JsonNode status = cluster().status();
        assertThat(status.path("mounts").asString()).startsWith("fuse: ");
        assertThat(status.path("gate").path("imagesMapped").asInt()).isPositive();
    }

    @Test
    void theFirstStartOfARegisteredImageIsTracedByItself() throws IOException, InterruptedException {
        String planned = RUNNING.images().planned("traced");
        JsonNode info = cluster().faasimageJson("image", "inspect", planned);
        // busybox, passwd and start.txt, traced on ordinary layers; now the same start is traced on the gate's view.
        int files = info.path("tracedFiles").asInt();
        JsonNode again = cluster().faasimageJson("trace", planned, "--limit", "30");
        assertThat(again.path("image").path("state").asString()).isEqualTo("PLANNED");
        assertThat(cluster()
                        .faasimageJson("image", "inspect", planned)
                        .path("tracedFiles")
                        .asInt())
                .isEqualTo(files)
                .isBetween(2, 6);
        assertThat(cluster().status().path("gate").path("imageCallbacks").asLong())
                .isPositive();
    }

    @Test
    void aMissWithoutTheRegistryServiceIsAnErrorInBoundedTimeAndWorksLater() throws IOException, InterruptedException {
        start(RUNNING.images().planned("miss"), "miss");
        cluster().killService();
        try {
            long start = System.nanoTime();
            Shell.Result read = cluster().exec("miss", "cat /app/late0.txt");
            assertThat(read.exit()).isNotZero();
            assertThat(read.out() + read.err()).contains("Input/output error");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        } finally {
            cluster().startService();
        }
        Wait.until(
                Duration.ofSeconds(20),
                "the file",
                () -> cluster().exec("miss", "cat /app/late0.txt").exit() == 0);
        assertThat(cluster().exec("miss", "cat /app/late0.txt").ok()).isEqualTo("late 0 of miss\n");
    }

    @Test
    void anOrdinaryImageOnALayerOfAPlannedOne() throws IOException, InterruptedException {
        start(RUNNING.images().planned("lower"), "lower");
        String ordinary = RUNNING.images().image("upper");
        cluster().faasimage("register", ordinary, "--name", "upper").ok();
        cluster().faasimage("pull", ordinary).ok();
        cluster().runWaiting(ordinary, "upper");
        assertThat(cluster()
                        .exec("upper", "cat /etc/shared.conf /app/start.txt")
                        .ok())
                .isEqualTo("of the base layer\nread at the start of upper\n");
        assertThat(cluster()
                        .exec("upper", "chown 7 /etc/shared.conf && cat /etc/shared.conf")
                        .ok())
                .isEqualTo("of the base layer\n");
    }

    @Test
    void afterTheGateDiedNewContainersStart() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("killgate");
        start(image, "live");
        long gate = cluster().gatePid();
        Shell.run("kill", "-9", Long.toString(gate)).ok();
        Wait.until(Duration.ofSeconds(60), "another gate", () -> {
            JsonNode status = cluster().status().path("gate");
            return status.path("ready").asBoolean()
                    && status.path("pid").asLong() != gate
                    && status.path("pid").asLong() > 0;
        });
        assertThat(cluster().exec("live", "cat /app/late1.txt").exit()).isNotZero();
        cluster().runWaiting(image, "next");
        assertThat(cluster().exec("next", "cat /app/start.txt /app/late5.txt").ok())
                .isEqualTo("read at the start of killgate\nlate 5 of killgate\n");
    }
}
