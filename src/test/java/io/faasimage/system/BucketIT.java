package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A function's way to a cold start whose objects come from a bucket, with every process real. */
final class BucketIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(() -> Cluster.start(ClusterOptions.s3()));

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    @Test
    void aColdStartReadsFromTheBucketAndGoesOnWhenItWasAway() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("bucket");
        assertThat(cluster().dir.resolve("d/packs")).doesNotExist();
        assertThat(cluster().s3().bucket().resolve("f/packs")).isNotEmptyDirectory();
        RUNNING.start(image, "cold");
        assertThat(cluster()
                        .containers
                        .exec("cold", "cat /app/start.txt /app/late0.txt")
                        .ok())
                .isEqualTo("read at the start of bucket\nlate 0 of bucket\n");
        cluster().s3().kill();
        try (ServiceClient client = cluster().client()) {
            Wait.until(LIMIT, "the service to notice", () -> !client.healthy());
            assertThat(cluster()
                            .agent
                            .status()
                            .path("registry")
                            .path("reachable")
                            .asBoolean())
                    .isTrue();
            // Held objects are read as ever.
            assertThat(cluster().containers.exec("cold", "cat /app/start.txt").ok())
                    .isEqualTo("read at the start of bucket\n");
            cluster().s3().start();
            Wait.until(LIMIT, "the service to be healthy again", client::healthy);
        }
        Wait.until(
                LIMIT,
                "a file to be fetched",
                () -> cluster()
                        .containers
                        .exec("cold", "cat /app/late1.txt")
                        .out()
                        .equals("late 1 of bucket\n"));
        assertThat(Files.exists(cluster().dir.resolve("d/cache"))).isFalse();
    }
}
