package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Nodes that get plans from the artifacts beside their images: there is no service, or one that has died. */
final class RegistryPlansIT {
    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(RegistryPlansIT::start);

    @TempDir
    private Path work;

    /** Its service publishes the plans of one repository. */
    private static Cluster start() throws IOException, InterruptedException {
        ClusterOptions options = new ClusterOptions();
        options.service = List.of("--faasimage.publish=" + options.ociRegistry + "/by-serv*");
        return Cluster.start(options);
    }

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    @Test
    void anImageIsPublishedAndStartsWithoutAService() throws IOException, InterruptedException {
        cluster().killService();
        try {
            Publisher own = publisher("own");
            own.trust();
            String image = RUNNING.images().image("published");
            assertThat(cluster().agent.pull(image).way()).isEqualTo("ordinary");
            RUNNING.images().forget(image);

            Path trace = work.resolve("hello.trace");
            assertThat(faasimage("trace", image, "--save", trace.toString())).contains("written to " + trace);
            RUNNING.images().forget(image);
            JsonNode published = own.publish(image, "--trace", trace.toString());
            assertThat(published.path("evidence").asString()).isEqualTo("trace");
            assertThat(published.path("byTag").asBoolean()).isTrue();
            assertThat(own.publish(image, "--trace", trace.toString())
                            .path("isNew")
                            .asBoolean())
                    .isFalse();

            PullOutcome pulled = cluster().agent.pull(image);
            assertThat(pulled.way()).as(pulled.toString()).isEqualTo("planned");
            assertThat(cluster().agent.log()).contains("from its registry: referrers by tag, 2 requests");
            RUNNING.images().starts(image, "published");
            withoutAgentThenWithIt(image, own);
            RUNNING.images().forget(image);
            cluster().agent.prune();

            assertThat(cluster().agent.pull(image).way()).isEqualTo("planned");
            String upper = RUNNING.images().image("upper");
            assertThat(cluster().agent.pull(upper).layersSkipped()).isPositive();
            RUNNING.images().starts(upper, "upper");
            RUNNING.images().starts(image, "published");
            RUNNING.images().forget(upper);
            RUNNING.images().forget(image);
        } finally {
            cluster().startService();
        }
    }

    /** A plan that another key has signed is not used, although it is the newest. */
    @Test
    void aPlanOfAnotherKeyIsRefusedAndTheNextOneIsUsed() throws IOException, InterruptedException {
        Publisher own = publisher("mine");
        Publisher other = publisher("other");
        own.trust();
        String image = RUNNING.images().image("contested");
        other.publish(image, "--predict");
        PullOutcome refused = cluster().agent.pull(image);
        assertThat(refused.way()).isEqualTo("ordinary");
        assertThat(refused.reason()).contains("which no --plan-key has");
        RUNNING.images().forget(image);
        own.publish(image, "--predict");
        other.publish(image, "--predict");
        own.trust();
        assertThat(cluster().agent.pull(image).way()).isEqualTo("planned");
        RUNNING.images().starts(image, "contested");
        RUNNING.images().forget(image);
    }

    @Test
    void withBothTheRegistryStandsInForAServiceThatHasDied() throws IOException, InterruptedException {
        Publisher own = publisher("both");
        Path service = Files.writeString(
                work.resolve("service.pub"),
                cluster().faasimage("plan-key", "show").ok());
        cluster().agent.restart("--plans", "both", "--plan-key", own.publicKey(), "--plan-key", service.toString());
        String served = RUNNING.images().planned("served");
        String image = RUNNING.images().image("beside");
        own.publish(image, "--predict");
        // The service does not know it.
        assertThat(cluster().agent.pull(image).way()).isEqualTo("planned");
        RUNNING.images().starts(image, "beside");
        RUNNING.images().forget(image);
        cluster().agent.prune();
        assertThat(cluster().agent.pull(served).way()).isEqualTo("planned");
        cluster().killService();
        try {
            assertThat(cluster().agent.pull(image).way()).isEqualTo("planned");
            RUNNING.images().starts(image, "beside");
            RUNNING.images().starts(served, "served");
        } finally {
            cluster().startService();
        }
    }

    @Test
    void theServicePublishesThePlansOfTheRepositoriesThatItIsTold() throws IOException, InterruptedException {
        Path service = Files.writeString(
                work.resolve("service.pub"),
                cluster().faasimage("plan-key", "show").ok());
        cluster().agent.restart("--plan-key", service.toString());
        String image = RUNNING.images().planned("by-service");
        Wait.until(
                Duration.ofSeconds(60),
                "the publication",
                () -> Files.readString(cluster().log("service"))
                        .contains("is beside image " + cluster().ociRegistry + "/by-service:1@"));
        cluster().agent.prune();
        cluster().killService();
        try {
            cluster().agent.restart("--plans", "registry", "--plan-key", service.toString());
            assertThat(cluster().agent.pull(image).way()).isEqualTo("planned");
            RUNNING.images().starts(image, "by-service");
            RUNNING.images().forget(image);
        } finally {
            cluster().startService();
        }
    }

    /** A read that begins while the agent is away ends well when it is back: the gate has nobody else. */
    private void withoutAgentThenWithIt(String image, Publisher own) throws IOException, InterruptedException {
        cluster().agent.prune();
        cluster().containers.runWaiting(image, "waits");
        cluster().agent.kill();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                Files.writeString(
                        work.resolve("read"),
                        cluster().containers.exec("waits", "cat /app/late5.txt").ok());
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Wait.until(
                Duration.ofSeconds(30),
                "the read at the gate",
                () -> cluster().agent.gate().fetches().waiting() > 0);
        own.trust();
        reader.join();
        assertThat(work.resolve("read")).hasContent("late 5 of published\n");
        cluster().containers.remove("waits");
    }

    private static String faasimage(String... arguments) throws IOException, InterruptedException {
        return cluster().faasimage(arguments).ok();
    }

    private Publisher publisher(String key) throws IOException, InterruptedException {
        return Publisher.make(cluster(), work, key);
    }
}
