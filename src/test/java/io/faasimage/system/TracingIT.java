package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.rest.Json;
import io.faasimage.system.SpanReceiver.Received;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * One cold start is one trace, from the caller of the platform to the gate. With Jaeger's all-in-one program at the
 * path in {@code OTEL_COLLECTOR}, that takes the spans, too, and has to know the same trace.
 */
final class TracingIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String ADAPTER = "faasimage-adapter";
    private static final String NODE = "faasimage-node-manager";
    private static final String REGISTRY = "faasimage-registry-service";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path work;

    @Test
    void aColdStartIsOneTraceFromTheCallerToTheGate() throws IOException, InterruptedException {
        try (Jaeger jaeger = Jaeger.start(work);
                SpanReceiver spans = new SpanReceiver(jaeger.receiver());
                Cluster cluster = Cluster.start(ClusterOptions.spans(spans.endpoint()));
                Provider provider = new Provider()) {
            BusyboxImages images = new BusyboxImages(cluster, work);
            String image = images.image("traced");
            images.plan(image, "traced.openfaas-fn");
            // With one start under way an object on demand is a part of that.
            Wait.until(
                    LIMIT,
                    "the end of the traced start",
                    () -> spans.all().stream().anyMatch(span -> span.name().equals("start")));
            cluster.agent.prune();
            int port = Ports.free();
            try (Daemon _ = cluster.startAdapter(
                    provider.address(), "--server.port=0", "--faasimage.listen=127.0.0.1:" + port)) {
                start(cluster, image, port);
            }
            Wait.until(
                    LIMIT, "the start's span", () -> named(spans, NODE, "start").isPresent());
            assertOneTrace(spans);
            assertThat(provider.traceparent()).startsWith("00-" + TRACE + "-").doesNotContain(CALLER);
            assertRecord(cluster);
            assertJob(spans);
            jaeger.assertKnows(TRACE, spans.of(TRACE).size());
        }
    }

    /** As a platform does: it is asked to scale, pulls the image, runs a container of it, and calls the function. */
    private void start(Cluster cluster, String image, int port) throws IOException, InterruptedException {
        Wait.until(LIMIT, "the adapter", () -> send(port, "GET", "/function/none", "") > 0);
        assertThat(send(port, "POST", "/system/scale-function/traced", "{\"serviceName\":\"traced\",\"replicas\":1}"))
                .isEqualTo(202);
        ControlClient node = cluster.agent.control();
        Wait.until(
                LIMIT,
                "the pull of the hint",
                () -> !node.call(NodeOperations.PLANS).isEmpty());
        cluster.faasimage("pull", "--wait", image).ok();
        // Among other processes' ports.
        cluster.containers.runInHostNetwork(
                image, "traced", "busybox httpd -f -p 127.0.0.1:" + Ports.free() + " & wait");
        assertThat(cluster.containers.exec("traced", "cat /app/late3.txt").ok()).contains("late 3");
        assertThat(send(port, "GET", "/function/traced.openfaas-fn", "")).isEqualTo(200);
    }

    private int send(int port, String method, String path, String body) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, BodyPublishers.ofString(body));
        if (method.equals("POST")) {
            request.header("traceparent", "00-" + TRACE + "-" + CALLER + "-01");
        }
        try {
            return http.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private static Optional<Received> named(SpanReceiver spans, String service, String name) {
        return spans.of(TRACE).stream()
                .filter(span -> span.service().equals(service) && span.name().equals(name))
                .findFirst();
    }

    private static Received need(SpanReceiver spans, String service, String name) {
        return named(spans, service, name)
                .orElseThrow(() -> new AssertionError("no span '" + name + "' of " + service + " among "
                        + spans.of(TRACE).stream()
                                .map(s -> s.service() + ": " + s.name())
                                .toList()));
    }

    private static void assertOneTrace(SpanReceiver spans) {
        Received scale = need(spans, ADAPTER, "scale");
        Received start = need(spans, NODE, "start");
        Received plan = need(spans, NODE, "plan");
        Received gate = need(spans, NODE, "gate: object on demand");
        assertThat(scale.parent()).isEqualTo(CALLER);
        assertThat(start.parent()).isEqualTo(scale.id());
        for (String name : List.of("plan", "mount", "prepare", "create container", "first process", "pull startup")) {
            assertThat(need(spans, NODE, name).parent()).as(name).isEqualTo(start.id());
        }
        assertThat(gate.parent()).isEqualTo(start.id());
        assertThat(need(spans, ADAPTER, "first answer").parent()).isEqualTo(scale.id());
        assertThat(spans.of(TRACE))
                .filteredOn(span -> span.service().equals(REGISTRY))
                .extracting(Received::name, Received::parent)
                .contains(tuple("GET /v1/functions/{name}", scale.id()), tuple("POST /v1/bundles", plan.id()))
                .anySatisfy(span -> assertThat(span.toList().toString())
                        .contains("/v1/objects/")
                        .contains(gate.id()));
        assertThat(start.span().getStartTimeUnixNano()).isLessThan(start.span().getEndTimeUnixNano());
    }

    /** The record names the trace and, by containerd's events, the first process of a start that was not traced. */
    private static void assertRecord(Cluster cluster) throws IOException, InterruptedException {
        Wait.until(LIMIT, "the start's record", () -> record(cluster).isPresent());
        JsonNode phases = Json.mapper()
                .valueToTree(cluster.client().starts().get(record(cluster).orElseThrow()))
                .path("record")
                .path("phases");
        assertThat(phases.path("created").asLong())
                .isBetween(
                        phases.path("mayStart").asLong(),
                        phases.path("firstProcess").asLong());
    }

    private static Optional<String> record(Cluster cluster) throws IOException, InterruptedException {
        for (JsonNode start : cluster.faasimageJson("starts")) {
            if (start.path("traceId").asString("").equals(TRACE)) {
                return Optional.of(start.path("id").asString());
            }
        }
        return Optional.empty();
    }

    /** The refactoring before is a trace of its own. */
    private static void assertJob(SpanReceiver spans) {
        Received job = spans.all().stream()
                .filter(span -> span.name().equals("refactor"))
                .findFirst()
                .orElseThrow();
        assertThat(job.parent()).isEmpty();
        assertThat(spans.of(job.trace())).extracting(Received::name).contains("read", "flatten", "publish");
    }

    /** Takes what the adapter hands on; what a provider would do with it, the test does with containerd. */
    private static final class Provider implements AutoCloseable {
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private volatile String traceparent = "";

        Provider() throws IOException {
            server.createContext("/system/scale-function/", exchange -> {
                try (exchange) {
                    traceparent = String.valueOf(exchange.getRequestHeaders().getFirst("traceparent"));
                    exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(202, -1);
                }
            });
            server.createContext("/function/", exchange -> {
                try (exchange) {
                    exchange.sendResponseHeaders(200, -1);
                }
            });
            server.start();
        }

        String address() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        String traceparent() {
            return traceparent;
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    /** A real collector, when there is one. */
    private record Jaeger(Optional<Daemon> daemon, int receiverPort, int queryPort) implements AutoCloseable {
        static Jaeger start(Path work) throws IOException, InterruptedException {
            Optional<String> program = Optional.ofNullable(System.getenv("OTEL_COLLECTOR"))
                    .filter(path -> Files.isExecutable(Path.of(path)));
            if (program.isEmpty()) {
                System.err.println(
                        "TracingIT does without a real collector: no package registry has one; give the path of"
                                + " Jaeger's all-in-one in OTEL_COLLECTOR");
                return new Jaeger(Optional.empty(), 0, 0);
            }
            int receiver = Ports.free();
            int query = Ports.free();
            Daemon daemon = Daemon.start(
                    "Jaeger",
                    work.resolve("jaeger.log"),
                    Map.of(),
                    List.of(
                            program.get(),
                            "--collector.otlp.http.host-port=127.0.0.1:" + receiver,
                            "--collector.otlp.grpc.host-port=127.0.0.1:" + Ports.free(),
                            "--collector.http-server.host-port=127.0.0.1:" + Ports.free(),
                            "--collector.grpc-server.host-port=127.0.0.1:" + Ports.free(),
                            "--query.grpc-server.host-port=127.0.0.1:" + Ports.free(),
                            "--query.http-server.host-port=127.0.0.1:" + query,
                            "--admin.http.host-port=127.0.0.1:" + Ports.free()));
            Jaeger jaeger = new Jaeger(Optional.of(daemon), receiver, query);
            daemon.await(LIMIT, () -> jaeger.spans("none") == 0);
            return jaeger;
        }

        Optional<URI> receiver() {
            return daemon.map(_ -> URI.create("http://127.0.0.1:" + receiverPort));
        }

        /** How many it knows of a trace; -1 while it does not answer. */
        private int spans(String trace) {
            try (HttpClient client = HttpClient.newHttpClient()) {
                String answer = client.send(
                                HttpRequest.newBuilder(
                                                URI.create("http://127.0.0.1:" + queryPort + "/api/traces/" + trace))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
                return Json.mapper()
                        .readTree(answer)
                        .path("data")
                        .path(0)
                        .path("spans")
                        .size();
            } catch (IOException e) {
                return -1;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return -1;
            }
        }

        void assertKnows(String trace, int spans) throws IOException, InterruptedException {
            if (daemon.isPresent()) {
                Wait.until(LIMIT, spans + " spans in Jaeger", () -> spans(trace) >= spans);
            }
        }

        @Override
        public void close() throws IOException {
            if (daemon.isPresent()) {
                daemon.get().close();
            }
        }
    }
}
