package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A function's way to a cold start whose objects come out of a bucket, with every process real. */
final class BucketIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(Cluster::startWithS3);

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    @Test
    void aColdStartReadsFromTheBucketAndGoesOnWhenItWasAway() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("bucket");
        assertThat(cluster().dir.resolve("d/packs")).doesNotExist();
        assertThat(cluster().bucket().resolve("f/packs")).isNotEmptyDirectory();
        assertThat(cluster().faasimageJson("pull", "--wait", image).path("way").asString())
                .isEqualTo("planned");
        cluster().runWaiting(image, "cold");
        assertThat(cluster().exec("cold", "cat /app/start.txt /app/late0.txt").ok())
                .isEqualTo("read at the start of bucket\nlate 0 of bucket\n");
        cluster().killS3();
        try (ServiceClient client = cluster().client()) {
            Wait.until(LIMIT, "the service to notice", () -> !client.healthy());
            assertThat(cluster().status().path("registry").path("reachable").asBoolean())
                    .isTrue();
            // What is held is read as ever.
            assertThat(cluster().exec("cold", "cat /app/start.txt").ok()).isEqualTo("read at the start of bucket\n");
            cluster().startS3();
            Wait.until(LIMIT, "the service to be healthy again", client::healthy);
        }
        Wait.until(
                LIMIT,
                "a file to be fetched",
                () -> cluster().exec("cold", "cat /app/late1.txt").out().equals("late 1 of bucket\n"));
        assertThat(Files.exists(cluster().dir.resolve("d/cache"))).isFalse();
    }
}
