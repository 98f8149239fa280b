package io.faasimage.registry.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.node.NodeReport.NodeEvent;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.overview.EventInfo.Severity;
import io.faasimage.api.rest.Page;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tests of the events of jobs and nodes, over HTTP. */
@Timeout(120)
class EventsHttpTest extends SharedServices {
    /** Enough that streams whose clients have gone keep no test from following. */
    private static final int FOLLOWERS = 8;

    private static HttpClient http;

    private TestService service;

    @BeforeEach
    void forgetEvents() {
        service = service("--faasimage.history.followers=" + FOLLOWERS);
        service.part(JdbcClient.class).sql("DELETE FROM events").update();
    }

    @BeforeAll
    static void makeClient() {
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void hangUp() {
        http.shutdownNow();
    }

    private void tell(String node, String instance, NodeEvent... events) throws IOException {
        service.client()
                .putNode(
                        node,
                        new NodeReport(
                                instance,
                                "1",
                                Instant.now(),
                                null,
                                null,
                                new NodeReport.Store(0, 0, null),
                                0,
                                0,
                                0,
                                0,
                                Map.of(),
                                0,
                                0,
                                List.of(events)));
    }

    private static NodeEvent event(long number, Severity severity, String text) {
        return new NodeEvent(number, Instant.parse("2026-01-02T03:04:05Z"), severity, "pull", text);
    }

    private HttpResponse<java.io.InputStream> follow(String path, String last) throws Exception {
        return http.send(service.request(path).header("Last-Event-ID", last).build(), BodyHandlers.ofInputStream());
    }

    private static String nextData(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }

    private static BufferedReader lines(HttpResponse<java.io.InputStream> answer) {
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    @Test
    void eventsOfJobsAreListedInTheirOrder() throws Exception {
        RegisteredImage image = service.images().push("registry.test/jobs:1", "jobs");
        service.refactoring().content(image.digest(), List.of(TestContent.of(1, 1_000, Segment.BASE, true)));
        service.client().register(new FunctionRequest("jobs", image.reference(), null, null));
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 3));
        service.awaitEnd(job.id());
        Page<EventInfo> page = service.client().events(Map.of("source", "job", "subject", job.id()));
        assertThat(page.items()).extracting(EventInfo::text).containsExactly("done", "starts", "queued");
        assertThat(page.items()).allMatch(event -> image.digest().toString().equals(event.image()));
        assertThat(service.client().events(Map.of("source", "node")).items()).isEmpty();
    }

    @Test
    void anEventOfANodeIsKeptOnceHoweverOftenItIsTold() throws Exception {
        NodeEvent first = event(1, Severity.INFO, "one");
        tell("n", "a", first);
        tell("n", "a", first, event(2, Severity.ERROR, "two"));
        tell("n", "b", event(1, Severity.INFO, "after a restart"));
        assertThat(service.client().events(Map.of("subject", "n")).items())
                .extracting(EventInfo::text)
                .containsExactly("after a restart", "two", "one");
        Page<EventInfo> page = service.client().events(Map.of("subject", "n", "limit", "2"));
        assertThat(service.client()
                        .events(Map.of("subject", "n", "after", String.valueOf(page.next())))
                        .items())
                .extracting(EventInfo::text)
                .containsExactly("one");
        assertThat(service.client().events(Map.of("severity", "error")).items())
                .extracting(EventInfo::text)
                .containsExactly("two");
    }

    @Test
    void askingForTheHeadOfTheStreamTakesNoFollowersPlace() throws Exception {
        for (int i = 0; i < 2 * FOLLOWERS; i++) {
            assertThat(service.send(service.request("/v1/events/stream").HEAD()).statusCode())
                    .isEqualTo(200);
        }
        tell("n", "a", event(1, Severity.INFO, "one"));
        try (BufferedReader lines = lines(follow("/v1/events/stream", "0"))) {
            assertThat(nextData(lines)).contains("one");
        }
    }

    @Test
    void aStreamGoesOnAfterTheEventThatItsClientHas() throws Exception {
        tell("n", "a", event(1, Severity.INFO, "one"), event(2, Severity.INFO, "two\nlines"));
        long first = service.client().events(Map.of()).items().getLast().id();
        HttpResponse<java.io.InputStream> answer = follow("/v1/events/stream", Long.toString(first));
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        try (BufferedReader lines = lines(answer)) {
            assertThat(nextData(lines)).contains("two\\nlines");
            tell("n", "a", event(3, Severity.INFO, "three"));
            assertThat(nextData(lines)).contains("three");
        }
    }

    @Test
    void aStreamSendsOnlyWhatIsAskedForAndOnlySoManyMayFollow() throws Exception {
        service = service("--faasimage.history.followers=2");
        HttpResponse<java.io.InputStream> one = follow("/v1/events/stream?severity=error", "0");
        HttpResponse<java.io.InputStream> two = follow("/v1/events/stream", "0");
        HttpResponse<java.io.InputStream> three = follow("/v1/events/stream", "0");
        assertThat(three.statusCode()).isEqualTo(429);
        assertThat(three.headers().firstValue("Retry-After")).isPresent();
        tell("n", "a", event(1, Severity.INFO, "fine"), event(2, Severity.ERROR, "not fine"));
        try (BufferedReader lines = lines(one);
                BufferedReader others = lines(two)) {
            assertThat(nextData(lines)).contains("not fine");
            assertThat(nextData(others)).contains("\"fine\"");
        }
        assertThat(follow("/v1/events/stream", "nonsense").statusCode()).isEqualTo(400);
    }

    @Test
    void theServiceStopsAlthoughSomebodyFollows() throws Exception {
        service = service("--faasimage.history.followers=1");
        HttpResponse<java.io.InputStream> answer = follow("/v1/events/stream", "0");
        long begin = System.nanoTime();
        service.close();
        assertThat((System.nanoTime() - begin) / 1_000_000_000).isLessThan(5);
        answer.body().close();
    }
}
