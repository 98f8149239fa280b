package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** A node whose object store has a tier in memory and one on disk, with every process real. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TwoTiersIT {
    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(() -> Cluster.start(ClusterOptions.fastTier()));

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    private static JsonNode store() throws IOException, InterruptedException {
        return cluster().agent.status().path("store");
    }

    @Test
    @Order(1)
    void whatAStartReadsIsInTheFastTierAndEverythingIsReadable() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("split");
        RUNNING.start(image, "split");
        assertThat(cluster().containers.exec("split", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of split\n");
        assertThat(store().path("fast").path("objects").asInt()).isPositive();
        assertThat(cluster()
                        .containers
                        .exec("split", "cat /app/late0.txt /app/late1.txt")
                        .ok())
                .isEqualTo("late 0 of split\nlate 1 of split\n");
    }

    @Test
    @Order(2)
    void aPrunedNodeIsEmptyButForWhatRuns() throws IOException, InterruptedException {
        String used = RUNNING.images().planned("used");
        RUNNING.start(used, "used");
        cluster().containers.exec("used", "cat /app/start.txt").ok();
        JsonNode pruned = cluster().faasimageJson("node", "prune", "--all");
        assertThat(pruned.path("keptPlans").asInt()).isEqualTo(1);
        assertThat(cluster()
                        .containers
                        .exec("used", "cat /app/start.txt /app/late3.txt")
                        .ok())
                .isEqualTo("read at the start of used\nlate 3 of used\n");
        cluster().containers.remove("used");
        Wait.until(
                Duration.ofSeconds(30),
                "nothing to be left",
                () -> cluster().agent.prune().keptPlans() == 0);
        assertThat(store().path("objects").asInt()).isZero();
        cluster().containers.runWaiting(used, "again");
        assertThat(cluster()
                        .containers
                        .exec("again", "cat /app/start.txt /app/late4.txt")
                        .ok())
                .isEqualTo("read at the start of used\nlate 4 of used\n");
    }

    @Test
    @Order(3)
    void aFastTierThatWasEmptiedIsFilledAgain() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("boot");
        RUNNING.start(image, "before");
        cluster().containers.exec("before", "cat /app/start.txt").ok();
        cluster().containers.remove("before");
        cluster().agent.kill();
        cluster().unmountFast();
        cluster().mountFast();
        cluster().agent.start();
        cluster().containers.runWaiting(image, "after");
        assertThat(cluster()
                        .containers
                        .exec("after", "cat /app/start.txt /app/late5.txt")
                        .ok())
                .isEqualTo("read at the start of boot\nlate 5 of boot\n");
        assertThat(store().path("fast").path("objects").asInt()).isPositive();
    }

    @Test
    @Order(4)
    void withoutTheFastTierNodeAndContainersGoOn() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("gone");
        RUNNING.start(image, "live");
        cluster().containers.exec("live", "cat /app/start.txt").ok();
        cluster().unmountFast();
        assertThat(cluster().containers.exec("live", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of gone\n");
        Wait.until(
                Duration.ofSeconds(30),
                "the loss to be noticed",
                () -> cluster().agent.log().contains("is not mounted any more"));
        cluster().containers.runWaiting(image, "next");
        assertThat(cluster()
                        .containers
                        .exec("next", "cat /app/start.txt /app/late6.txt")
                        .ok())
                .isEqualTo("read at the start of gone\nlate 6 of gone\n");
        cluster().agent.kill();
        cluster().agent.start();
        assertThat(cluster().agent.log()).contains("no file system of its own is mounted there");
        cluster().containers.runWaiting(image, "restarted");
        assertThat(cluster().containers.exec("restarted", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of gone\n");
    }
}
