package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.system.SpanReceiver.Received;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The service exports each cold start that its nodes report, and each refactor job, as one trace. */
final class TracingIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path work;

    @Test
    void aColdStartIsOneTraceAndAJobIsAnother() throws IOException, InterruptedException {
        try (SpanReceiver spans = new SpanReceiver();
                Cluster cluster = Cluster.start(ClusterOptions.spans(spans.endpoint()))) {
            BusyboxImages images = new BusyboxImages(cluster, work);
            String image = images.image("observed");
            images.plan(image, "observed");
            // With one start under way an object on demand is a part of that.
            Wait.until(
                    LIMIT,
                    "the end of the traced start",
                    () -> named(spans, "start").isPresent());
            cluster.agent.prune();
            cluster.faasimage("pull", "--wait", image).ok();
            cluster.containers.runWaiting(image, "observed");
            assertThat(cluster.containers.exec("observed", "cat /app/late3.txt").ok())
                    .contains("late 3");
            Wait.until(LIMIT, "the start's record", () -> planned(cluster).isPresent());
            assertStart(cluster, spans);
            assertJob(spans);
        }
    }

    private static Optional<Received> named(SpanReceiver spans, String name) {
        return spans.all().stream().filter(span -> span.name().equals(name)).findFirst();
    }

    private static Optional<JsonNode> planned(Cluster cluster) throws IOException, InterruptedException {
        for (JsonNode start : cluster.faasimageJson("starts")) {
            if (!start.path("class").asString("").equals("full")) {
                return Optional.of(start);
            }
        }
        return Optional.empty();
    }

    /** The phases are children of the start, with the record's times and by its trace. */
    private static void assertStart(Cluster cluster, SpanReceiver spans) throws IOException, InterruptedException {
        JsonNode listed = planned(cluster).orElseThrow();
        String trace = listed.path("traceId").asString("");
        Wait.until(LIMIT, "the start's spans", () -> !spans.of(trace).isEmpty());
        Received start = spans.of(trace).stream()
                .filter(span -> span.name().equals("start"))
                .findFirst()
                .orElseThrow();
        assertThat(start.parent()).isEmpty();
        assertThat(start.toString()).contains("observed");
        JsonNode phases = Json.mapper()
                .valueToTree(cluster.client().starts().get(listed.path("id").asString()))
                .path("record")
                .path("phases");
        for (String name :
                List.of("plan", "mount", "prepare", "create container", "first process", "pull", "object on demand")) {
            assertThat(spans.of(trace))
                    .filteredOn(span -> span.name().equals(name))
                    .as("%s of %s", name, phases)
                    .isNotEmpty()
                    .allSatisfy(span -> {
                        assertThat(span.parent()).isEqualTo(start.id());
                        assertThat(span.span().getStartTimeUnixNano())
                                .isBetween(
                                        start.span().getStartTimeUnixNano(),
                                        span.span().getEndTimeUnixNano());
                        assertThat(span.span().getEndTimeUnixNano())
                                .isLessThanOrEqualTo(start.span().getEndTimeUnixNano());
                    });
        }
        assertThat(phases.path("created").asLong())
                .isBetween(
                        phases.path("mayStart").asLong(),
                        phases.path("firstProcess").asLong());
    }

    private static void assertJob(SpanReceiver spans) {
        Received job = named(spans, "refactor").orElseThrow();
        assertThat(job.parent()).isEmpty();
        assertThat(spans.of(job.trace())).extracting(Received::name).contains("read", "flatten", "publish");
    }
}
