package io.faasimage.registry.functions.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.page.Browser;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Reports of nodes about starts and themselves, over HTTP. */
@Timeout(120)
class StartsHttpTest extends ServiceTest {
    @BeforeAll
    static void start() {
        service = TestService.start(data);
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MICROS);
    }

    private static StartRecord record(
            String id,
            Instant at,
            StartKind kind,
            boolean cold,
            @Nullable String image,
            long mayStart,
            @Nullable Long bytes) {
        long mounted = Math.min(3_000, mayStart);
        return Json.mapper()
                .readValue(
                        """
                {"id": "%s", "startedAt": "%s", "class": %s, "reason": %s, "cold": %s, "image": %s, "mode": "early",
                 "phases": {"asked": 0, "firstByte": 1000, "planned": 2000, "requested": 0, "mounted": %d, "mayStart": %d},
                 "segments": [{"segment": "func", "objects": 3, "bytes": 500, "begin": 1500, "end": 2500}], "bytes": %s,
                 "reusedObjects": 4, "reusedBytes": 4000, "foreseen": 7, "coverage": 1.0}
                """.formatted(
                                        id,
                                        at,
                                        json(kind),
                                        json(kind == StartKind.FULL ? "no plan yet" : null),
                                        cold,
                                        json(image),
                                        mounted,
                                        mayStart,
                                        bytes),
                        StartRecord.class);
    }

    private static String json(@Nullable Object value) {
        return Json.mapper().writeValueAsString(value);
    }

    private static RegisteredImage registered(String name) throws Exception {
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.client().register(new FunctionRequest(name, image.reference(), null, null));
        return image;
    }

    private static StartBatch.Taken post(String node, StartRecord... records) throws Exception {
        return service.client().starts().report(node, new StartBatch(List.of(records)));
    }

    @Test
    void aStartIsKeptOnceAndFoundWithAllThatItsNodeTold() throws Exception {
        RegisteredImage image = registered("once");
        StartRecord reported = Json.mapper()
                .readValue(
                        """
                {"id": "once-1", "startedAt": "%s", "class": "misses", "reason": "1 object was not foreseen", "cold": true,
                 "image": "%s", "chain": "%s", "plan": "%s", "mode": "complete",
                 "phases": {"asked": 0, "firstByte": 1, "planned": 2, "requested": 2, "mounted": 3, "mayStart": 4,
                            "created": 5, "firstProcess": 6, "lastObject": 50},
                 "bytes": 10, "reusedObjects": 0, "reusedBytes": 0, "foreseen": 5, "coverage": 0.5, "demanded": 1,
                 "demands": [{"object": "%4$s", "path": "/app/<b>x</b>", "at": 60, "waited": 40, "foreseen": false}]}
                """.formatted(now(), image.digest(), image.topChain(), Digest.of(new byte[1])),
                        StartRecord.class);
        assertThat(post("node-1", reported)).isEqualTo(new StartBatch.Taken(1, 0, 0));
        assertThat(post("node-1", reported)).isEqualTo(new StartBatch.Taken(0, 1, 0));
        StartDetail found = service.client().starts().get("once-1");
        assertThat(found.record()).isEqualTo(reported);
        assertThat(found.summary().function()).isEqualTo("once");
        assertThat(found.summary().micros()).isEqualTo(100);
        assertThat(found.summary().traceId())
                .isEqualTo(service.spans().traceId("once-1").orElseThrow());
        assertThat(service.spans().of("once-1"))
                .as("not again for the record that came twice")
                .singleElement()
                .satisfies(span -> assertThat(span.attributes()).containsEntry("faasimage.function", "once"));
        assertThat(found.summary().savedBytes()).isNotNegative();
        assertThat(found.summary().savedMicros()).as("nothing to compare with").isNull();
        assertThat(service.client().starts().series(Map.of("function", "once")))
                .singleElement()
                .satisfies(hour -> assertThat(hour.starts()).isEqualTo(1));
    }

    @Test
    void savedTimeIsToldAgainstRecordedFullStarts() throws Exception {
        String image = registered("compared").digest().toString();
        post("node-2", record("c-1", now(), StartKind.FULL, true, image, 4_000_000, null));
        post("node-2", record("c-2", now(), StartKind.LAZY, true, image, 500_000, 100L));
        post("node-2", record("c-3", now(), StartKind.LAZY, false, image, 10_000, 0L));
        Map<String, Long> saved = new java.util.HashMap<>();
        for (StartSummary start :
                service.client().starts().list(Map.of("function", "compared")).items()) {
            if (start.savedMicros() != null) {
                saved.put(start.id(), start.savedMicros());
            }
        }
        assertThat(saved).containsOnlyKeys("c-2");
        assertThat(saved.get("c-2")).isEqualTo(3_500_000);
        StartHour hour =
                service.client().starts().series(Map.of("function", "compared")).getLast();
        assertThat(hour.cold()).isEqualTo(2);
        assertThat(hour.byClass()).isEqualTo(Map.of("lazy", 2L, "full", 1L));
        assertThat(hour.medianMicros()).isEqualTo(500_000);
        assertThat(hour.p95Micros()).isEqualTo(4_000_000);
        assertThat(hour.compared()).isEqualTo(1);
        assertThat(hour.savedMicros()).isEqualTo(saved.get("c-2"));
    }

    /** A megabyte in a tenth of a second. */
    @Test
    void savedTimeIsEstimatedWithoutFullStartsAndThePageSaysSo() throws Exception {
        String image = registered("estimated").digest().toString();
        StartRecord moved = withPull(
                record("e-1", now(), StartKind.LAZY, true, image, 500_000, 10L),
                new SegmentPull("lib", 30, 1_500_000, 100_000L, 200_000L),
                new SegmentPull("base", 10, 500_000, 150_000L, 300_000L));
        post("node-6", moved, record("e-2", now(), StartKind.LAZY, true, image, 500_000, 10L));
        StartSummary start = service.client().starts().get("e-1").summary();
        assertThat(start.savedEstimated()).isTrue();
        assertThat(start.savedMicros()).isEqualTo(Objects.requireNonNull(start.savedBytes()) / 10);
        assertThat(service.client().starts().get("e-2").summary().savedMicros())
                .as("500 bytes show no rate")
                .isNull();
        StartHour hour = service.client()
                .starts()
                .series(Map.of("function", "estimated"))
                .getLast();
        assertThat(List.of(hour.compared(), hour.estimated())).containsExactly(0L, 1L);
        // A view that takes long to read may be some seconds old.
        Overview overview = Wait.value(() -> service.client().overview(), now -> now.estimated() == 1);
        assertThat(overview.savedMicros()).isNotNull();
        assertThat(page("/ui")).contains("Time saved", "estimated for 1 of ", "Time saved is an estimate");
        assertThat(page("/ui/starts/e-1")).contains("estimated from the bytes moved");
    }

    private static StartRecord withPull(StartRecord start, SegmentPull... segments) {
        ObjectNode fields = Json.mapper().valueToTree(start);
        fields.set("segments", Json.mapper().valueToTree(segments));
        return Json.mapper().treeToValue(fields, StartRecord.class);
    }

    private static String page(String path) throws Exception {
        try (Browser browser = new Browser(service)) {
            browser.signIn(TestService.TOKEN);
            return browser.get(path).body();
        }
    }

    /** The last miss came 8.4 s after the begin, the answer to the readiness probe after 1 s. */
    @Test
    void aStartIsDrawnByWhenItWasReadyNotByItsLastFile() throws Exception {
        String image = registered("ready").digest().toString();
        StartRecord start =
                Json.mapper().readValue("""
                {"id": "ready-1", "startedAt": "%s", "class": "misses", "cold": true, "image": "%s", "mode": "early",
                 "phases": {"asked": 0, "firstByte": 1000, "planned": 2000, "requested": 2000, "mounted": 3000,
                            "mayStart": 4000, "created": 200000, "firstProcess": 300000, "ready": 1000000,
                            "lastObject": 900000},
                 "bytes": 10, "demanded": 1,
                 "demands": [{"object": "%s", "path": "/late", "at": 8300000, "waited": 100000, "foreseen": false}]}
                """.formatted(now(), image, Digest.of(new byte[3])), StartRecord.class);
        post("node-7", start);
        assertThat(service.client().starts().get("ready-1").summary().tookMicros())
                .isEqualTo(1_000_000);
        assertThat(service.client().starts().series(Map.of("function", "ready")))
                .singleElement()
                .satisfies(hour -> {
                    assertThat(hour.medianMicros()).isEqualTo(1_000_000);
                    assertThat(hour.medianByClass()).isEqualTo(Map.of("misses", 1_000_000L));
                });
        assertThat(page("/ui/functions"))
                .contains("the longest took 1.00\u00a0s")
                .doesNotContain("8.4");
        assertThat(page("/ui/functions/ready"))
                .contains("misses, 1.00\u00a0s", "Ready after", "last file after 8.40\u00a0s")
                .contains("<span>2.00\u00a0s</span>", "The right edge stands for everything later.");
    }

    @Test
    void hoursAreSumsOfTheirStartsWithExactPercentiles() throws Exception {
        String image = registered("hours").digest().toString();
        Instant first = now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(5));
        List<StartRecord> records = new ArrayList<>();
        for (int i = 1; i <= 99; i++) {
            records.add(record("h-" + i, first.plusSeconds(i), StartKind.LAZY, true, image, i * 1_000L, 5L));
        }
        records.add(record("h-warm", first, StartKind.LAZY, false, image, 1, 0L));
        records.add(record("h-full", first, StartKind.FULL, true, image, 5_000_000, null));
        records.add(record("h-later", first.plus(Duration.ofHours(3)), StartKind.FULL, true, image, 7_000_000, null));
        post("node-8", records.toArray(new StartRecord[0]));
        List<StartHour> hours = service.client().starts().series(Map.of("function", "hours"));
        assertThat(hours)
                .as("hours without starts are left out")
                .extracting(StartHour::hour)
                .containsExactly(first, first.plus(Duration.ofHours(3)));
        StartHour hour = hours.getFirst();
        assertThat(List.of(hour.starts(), hour.cold(), hour.bytes())).containsExactly(101L, 100L, 495L);
        assertThat(hour.byClass()).isEqualTo(Map.of("lazy", 100L, "full", 1L));
        assertThat(hour.medianMicros()).isEqualTo(50_000);
        assertThat(hour.p95Micros()).isEqualTo(95_000);
        assertThat(hour.medianByClass()).isEqualTo(Map.of("lazy", 50_000L, "full", 5_000_000L));
        assertThat(service.client().starts().series(Map.of("image", image, "node", "node-8")))
                .isEqualTo(hours);
        assertThat(service.client().starts().series(Map.of("function", "hours", "node", "node-1")))
                .isEmpty();
        assertThat(service.client()
                        .starts()
                        .series(Map.of(
                                "node", "node-8", "until", first.plusSeconds(1).toString())))
                .as("whole hours")
                .containsExactly(hour);
    }

    @Test
    void listsGoOnWhereTheyEndedWhateverTheFilter() throws Exception {
        Instant begin = now().minus(Duration.ofMinutes(30));
        List<StartRecord> records = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            // Several of the same moment.
            records.add(record(
                    "page-" + i,
                    begin.plusSeconds(i / 4),
                    i % 3 == 0 ? StartKind.FULL : StartKind.LAZY,
                    false,
                    null,
                    10,
                    null));
        }
        post("node-3", records.toArray(new StartRecord[0]));
        assertThat(all(Map.of("node", "node-3", "limit", "7"))).hasSize(120).doesNotHaveDuplicates();
        assertThat(all(Map.of("node", "node-3", "class", "FULL", "limit", "9")))
                .hasSize(40)
                .doesNotHaveDuplicates();
        assertThat(all(Map.of("node", "node-3", "cold", "true"))).isEmpty();
        List<StartSummary> newest = service.client()
                .starts()
                .list(Map.of("node", "node-3", "limit", "2"))
                .items();
        assertThat(newest).extracting(StartSummary::startedAt).containsOnly(begin.plusSeconds(29));
    }

    private static List<String> all(Map<String, String> filters) throws Exception {
        List<String> ids = new ArrayList<>();
        Map<String, String> query = new java.util.HashMap<>(filters);
        Page<StartSummary> page;
        do {
            page = service.client().starts().list(query);
            page.items().forEach(start -> ids.add(start.id()));
            query.put("after", String.valueOf(page.next()));
        } while (page.next() != null);
        return ids;
    }

    @Test
    void whatIsTooOldOrFromTheFutureIsDropped() throws Exception {
        assertThat(post(
                        "node-4",
                        record("old", now().minus(Duration.ofDays(8)), StartKind.LAZY, true, null, 1, null),
                        record("ahead", now().plus(Duration.ofDays(1)), StartKind.LAZY, true, null, 1, null),
                        record("timely", now(), StartKind.LAZY, true, null, 1, null)))
                .isEqualTo(new StartBatch.Taken(1, 0, 2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"starts":[]} | 'starts'
                    {"starts":[{}]} | 'id'
                    {"starts":[{"id":"../x"}]} | 'id'
                    {"starts":[{"id":"a","class":"lazy"}]} | 'startedAt'
                    {"starts":[{"id":"a","startedAt":"+999999999-01-01T00:00:00Z","class":"lazy"}]} | 'startedAt'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z"}]} | 'class'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"best"}]} | best
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"lazy","bytes":-1}]} | 'bytes'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"lazy","image":"sha256:0"}]} | 'image'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"lazy","coverage":2}]} | 'coverage'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"lazy","phases":{"mounted":9,"mayStart":3}}]} | 'phases'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"lazy","phases":{"ready":86400000001}}]} | 'phases'
                    {"starts":[{"id":"a","startedAt":"2026-01-01T00:00:00Z","class":"lazy","segments":[{"segment":"x"}]}]} | func
                    [] | JSON
                    """)
    void badRecordsAreProblems(String body, String reason) throws Exception {
        HttpResponse<byte[]> answer = service.send(service.request("/v1/nodes/n/starts")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/starts?limit=0,400",
        "/v1/starts?limit=501,400",
        "/v1/starts?class=best,400",
        "/v1/starts?after=yesterday,400",
        "/v1/starts/series?from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z,400",
        "/v1/starts?after=%2B999999999-01-01T00:00:00Z_a,400",
        "/v1/starts?node=%00,400",
        "/v1/starts/series?until=%2B1000000000-12-31T23:59:59Z,400",
        "/v1/starts/series?until=-1000000000-01-01T00:00:00Z,400",
        "/v1/starts/none,404",
        "/v1/nodes/none,404",
        "/v1/nodes/a%20b,400",
        "/v1/events?severity=bad,400",
        "/v1/events?limit=9999,400"
    })
    void badQuestionsAreProblems(String path, int status) throws Exception {
        assertThat(service.send(service.request(path)).statusCode()).isEqualTo(status);
    }

    @Test
    void aStartHasAPage() throws Exception {
        RegisteredImage image = registered("paged");
        post("node-9", record("p-1", now(), StartKind.LAZY, true, image.digest().toString(), 5, 7L));
        try (Browser browser = new Browser(service)) {
            browser.signIn(TestService.TOKEN);
            assertThat(browser.get("/ui/starts/p-1").body()).contains("Start of paged", "node-9");
        }
    }

    @Test
    void aNodeIsListedWithWhatItToldAndWhatItsStartsWere() throws Exception {
        NodeReport report = new NodeReport(
                "instance-1",
                "1.2",
                now(),
                "native",
                null,
                new NodeReport.Store(10, 1_000, null),
                3,
                75,
                20,
                5,
                Map.of(StartKind.LAZY, 4L, StartKind.FULL, 1L),
                0,
                2,
                List.of());
        service.client().putNode("node-5", report);
        post("node-5", record("n-1", now(), StartKind.FULL, true, null, 5, null));
        post("node-5", record("n-2", now(), StartKind.LAZY, true, null, 5, 7L));
        NodeInfo node = service.client().nodes().stream()
                .filter(n -> n.name().equals("node-5"))
                .findFirst()
                .orElseThrow();
        assertThat(node.alive()).isTrue();
        assertThat(node.hitRatio()).isEqualTo(0.75);
        assertThat(node.report()).isEqualTo(report);
        assertThat(node.starts()).isEqualTo(Map.of("full", 1L, "lazy", 1L));
        assertThat(node.reasons()).containsExactly(new NodeInfo.Reason(StartKind.FULL, "no plan yet", 1));
        assertThat(service.client().overview().wrong())
                .anySatisfy(wrong -> assertThat(wrong.text()).contains("2 records of starts were lost"));
    }
}
