package io.faasimage.registry.functions.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.DemandFetch;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.span.FinishedSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartSpansTest {
    private static final Instant BEGIN = Instant.parse("2026-11-01T00:00:00Z");
    private static final String DIGEST = Digest.of(new byte[1]).toString();

    private static StartDetail start(
            StartKind kind,
            @Nullable String reason,
            @Nullable String plan,
            StartPhases phases,
            List<SegmentPull> segments,
            List<DemandFetch> demands) {
        StartRecord record = Json.mapper()
                .treeToValue(
                        Json.mapper()
                                .createObjectNode()
                                .put("id", "s-1")
                                .put("startedAt", BEGIN.toString())
                                .put("reason", reason)
                                .put("cold", true)
                                .put("plan", plan)
                                .put("bytes", plan == null ? null : 4711L)
                                .put("demanded", demands.size())
                                .set("class", Json.mapper().valueToTree(kind))
                                .set("phases", Json.mapper().valueToTree(phases))
                                .set("segments", Json.mapper().valueToTree(segments))
                                .set("demands", Json.mapper().valueToTree(demands)),
                        StartRecord.class);
        StartSummary summary = Json.mapper()
                .readValue(
                        """
                {"id": "s-1", "node": "node-1", "startedAt": "%s", "class": %s, "reason": %s, "cold": true, "image": "%s",
                 "reference": "registry.test/hello:1", "function": "hello", "traceId": "%032d", "demanded": %d}
                """.formatted(BEGIN, json(kind), json(reason), DIGEST, 1, demands.size()), StartSummary.class);
        return new StartDetail(summary, BEGIN, record);
    }

    private static String json(@Nullable Object value) {
        return Json.mapper().writeValueAsString(value);
    }

    private static void assertNested(FinishedSpan span) {
        assertThat(span.end()).as(span.name()).isAfterOrEqualTo(span.begin());
        span.children().forEach(child -> {
            assertThat(child.begin()).as(child.name()).isAfterOrEqualTo(span.begin());
            assertThat(child.end()).as(child.name()).isBeforeOrEqualTo(span.end());
            assertNested(child);
        });
    }

    /** Name, begin and end in microseconds of the start. */
    private static List<String> steps(FinishedSpan span) {
        return span.children().stream()
                .map(child -> child.name() + " " + micros(child.begin()) + "-" + micros(child.end()))
                .toList();
    }

    private static long micros(Instant time) {
        return Duration.between(BEGIN, time).toNanos() / 1000;
    }

    @Test
    void phasesAreStepsOfAPlannedStart() {
        FinishedSpan start = StartSpans.of(start(
                StartKind.MISSES,
                "1 object was not foreseen",
                DIGEST,
                new StartPhases(0L, 10L, 20L, 30L, 35L, 40L, 50L, 60L, 90L, 80L, null),
                List.of(new SegmentPull("func", 3, 500, 22L, 70L), new SegmentPull("lib", 2, 100, 21L, 80L)),
                List.of(new DemandFetch(DIGEST, "/app/late", 85, 40, false))));
        assertNested(start);
        assertThat(micros(start.end())).isEqualTo(125);
        assertThat(steps(start))
                .containsExactly(
                        "plan 0-20",
                        "mount 30-35",
                        "prepare 35-40",
                        "create container 40-50",
                        "first process 50-60",
                        "ready 60-90",
                        "pull 21-80",
                        "object on demand 85-125");
        assertThat(steps(start.children().get(6))).containsExactly("segment func 22-70", "segment lib 21-80");
        assertThat(start.failure()).isNull();
        assertThat(start.attributes())
                .containsEntry("faasimage.start", "s-1")
                .containsEntry("faasimage.node", "node-1")
                .containsEntry("faasimage.class", "misses")
                .containsEntry("faasimage.reason", "1 object was not foreseen")
                .containsEntry("faasimage.function", "hello")
                .containsEntry("faasimage.bytes", 4711L)
                .containsEntry("faasimage.on_demand", 1L);
        assertThat(start.children().getLast().attributes()).containsEntry("faasimage.path", "/app/late");
    }

    @Test
    void anUnplannedStartHasTheUnpackingBeforeItsRequest() {
        FinishedSpan start = StartSpans.of(start(
                StartKind.FULL,
                "no plan yet",
                null,
                new StartPhases(null, null, null, 800L, null, 900L, null, 950L, null, null, null),
                List.of(),
                List.of()));
        assertNested(start);
        assertThat(steps(start)).containsExactly("unpack 0-800", "prepare 800-900", "first process 900-950");
        assertThat(start.failure()).isNull();
        assertThat(start.attributes()).doesNotContainKeys("faasimage.plan", "faasimage.bytes");
    }

    @Test
    void aRefusedStartFailsWhenItWasRefused() {
        FinishedSpan start = StartSpans.of(start(
                StartKind.REFUSED,
                "no loop device",
                DIGEST,
                new StartPhases(0L, 10L, 20L, 30L, null, null, null, null, null, null, 500L),
                List.of(),
                List.of()));
        assertNested(start);
        assertThat(steps(start)).containsExactly("plan 0-20");
        assertThat(micros(start.end())).isEqualTo(500);
        assertThat(start.failure()).isEqualTo("no loop device");
    }

    @Test
    void nothingMeasuredIsOneSpanWithoutATime() {
        FinishedSpan start = StartSpans.of(start(StartKind.FULL, null, null, StartPhases.NONE, List.of(), List.of()));
        assertThat(start.children()).isEmpty();
        assertThat(start.end()).isEqualTo(start.begin()).isEqualTo(BEGIN);
    }
}
