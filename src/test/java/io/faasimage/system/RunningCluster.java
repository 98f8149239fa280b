package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/** A cluster for the tests of one class, and images for it; no test leaves a container to the next. */
final class RunningCluster implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final Start start;
    private @Nullable Cluster cluster;
    private @Nullable BusyboxImages images;

    /** Which cluster it is. */
    interface Start {
        Cluster start() throws IOException, InterruptedException;
    }

    RunningCluster(Start start) {
        this.start = start;
    }

    Cluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    BusyboxImages images() {
        return Objects.requireNonNull(images);
    }

    /** Pulls a planned image and starts a container of it, which waits. */
    void start(String image, String id) throws IOException, InterruptedException {
        assertThat(cluster().agent.pull(image).way()).isEqualTo("planned");
        cluster().containers.runWaiting(image, id);
    }

    /** Waits until the agent has another gate in the place of the process {@code gate}, which died. */
    void awaitOtherGate(long gate) throws IOException, InterruptedException {
        Wait.until(Duration.ofSeconds(60), "another gate", () -> {
            JsonNode status = cluster().agent.status().path("gate");
            long pid = status.path("pid").asLong();
            return status.path("ready").asBoolean() && pid != gate && pid > 0;
        });
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
        cluster = start.start();
        images = new BusyboxImages(cluster, cluster.dir.resolve("images"));
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException, InterruptedException {
        cluster().containers.removeAll();
    }

    /** Also when it was not started. */
    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }
}
