package io.faasimage.registry.images.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests as in {@link FeedbackHttpTest}, on PostgreSQL, where others may hold rows that reports need. */
class FeedbackOnPostgresIT extends FeedbackHttpTest {
    @RegisterExtension
    static final OnPostgres DATABASE = new OnPostgres();

    private static final int REPORTS = 20;
    /** Less than a request waits for a connection or a lock. */
    private static final Duration SOON = Duration.ofMillis(1500);

    private static Connection session() throws Exception {
        Map<String, String> settings = DATABASE.settings(data);
        Connection session = DriverManager.getConnection(
                settings.get("spring.datasource.url"), settings.get("spring.datasource.username"), "");
        session.setAutoCommit(false);
        return session;
    }

    private static int waiting(Statement statement) throws Exception {
        try (ResultSet rows = statement.executeQuery(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Until those that hold all connections wait for the lock, or none waits. */
    private static void awaitStandstill(Statement statement, List<Future<HttpResponse<byte[]>>> reports)
            throws Exception {
        Wait.value(
                () -> waiting(statement),
                waiting -> waiting >= 6 || reports.stream().allMatch(Future::isDone));
    }

    private static void assertStartsGoOn(RegisteredImage image) throws Exception {
        BundleRequest wanted = BundleRequest.discovery(
                image.topChain(), Set.of(Segment.values()), List.of(), null, BundleRequest.Prefix.NEWEST);
        assertQuick(service.request("/v1/bundles")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.mapper().writeValueAsBytes(wanted))));
        assertQuick(service.request("/v1/chains/" + image.topChain()));
        assertQuick(service.request("/actuator/health/serving"));
    }

    private static void assertQuick(HttpRequest.Builder request) throws Exception {
        long begin = System.nanoTime();
        assertThat(service.send(request).statusCode()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
    }

    @Test
    void reportsOfAnImageWhoseRowIsLockedHoldUpNothing() throws Exception {
        RegisteredImage image = planned("hot");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection session = session();
                Statement statement = session.createStatement()) {
            statement.executeQuery("SELECT * FROM images WHERE digest = '" + image.digest() + "' FOR UPDATE");
            List<Future<HttpResponse<byte[]>>> reports = new ArrayList<>();
            for (int i = 0; i < REPORTS; i++) {
                byte[] report = Json.mapper().writeValueAsBytes(new StartBatch(List.of(start(image, D))));
                reports.add(threads.submit(() -> service.send(service.request("/v1/nodes/n/starts")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(report)))));
            }
            awaitStandstill(statement, reports);
            assertStartsGoOn(image);
            for (Future<HttpResponse<byte[]>> report : reports) {
                assertThat(report.get().statusCode()).isEqualTo(200);
            }
            session.rollback();
        }
        assertThat(awaitVersions(image, 2).getFirst().startupObjects()).isEqualTo(3);
        assertThat(service.client()
                        .starts()
                        .list(Map.of("image", image.digest().toString()))
                        .items())
                .hasSize(REPORTS);
    }

    @Test
    void whenReportsCannotBeKeptTheyAreRefusedAndStartsGoOn() throws Exception {
        RegisteredImage image = planned("kept");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection session = session();
                Statement statement = session.createStatement()) {
            statement.execute("LOCK TABLE start_records IN ACCESS EXCLUSIVE MODE");
            List<Future<HttpResponse<byte[]>>> reports = new ArrayList<>();
            for (int i = 0; i < REPORTS; i++) {
                String batch = "{\"starts\":[{\"id\":\"kept-" + i + "\",\"class\":\"lazy\",\"startedAt\":\""
                        + Instant.now() + "\"}]}";
                reports.add(threads.submit(() -> service.send(service.request("/v1/nodes/n/starts")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(batch)))));
            }
            awaitStandstill(statement, reports);
            assertStartsGoOn(image);
            for (Future<HttpResponse<byte[]>> report : reports) {
                assertThat(report.get().statusCode()).isEqualTo(429);
                assertThat(report.get().headers().firstValue("Retry-After")).hasValue("2");
            }
            session.rollback();
        }
    }
}
