package io.faasimage.spans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SpanExportTest {
    private static final TraceParent CALLER =
            new TraceParent("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", true);

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();
    private HttpServer collector;

    @BeforeEach
    void collect() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            try (exchange) {
                received.addAll(ExportTraceServiceRequest.parseFrom(
                                exchange.getRequestBody().readAllBytes())
                        .getResourceSpansList());
                exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
                exchange.sendResponseHeaders(200, -1);
            }
        });
        collector.start();
    }

    @AfterEach
    void end() {
        collector.stop(0);
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + collector.getAddress().getPort()));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return variables;
    }

    private static Spans export(String service, Map<String, String> environment) {
        return SpanExport.of(service, environment, LONG);
    }

    private List<io.opentelemetry.proto.trace.v1.Span> spans() {
        return received.stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    @Test
    void isOffUnlessAnEndpointIsNamed() {
        assertThat(export("test", Map.of())).isSameAs(Spans.NONE);
        assertThat(export("test", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", " "))).isSameAs(Spans.NONE);
        assertThat(export("test", environment("OTEL_SDK_DISABLED", "true"))).isSameAs(Spans.NONE);
        assertThat(export("test", environment("OTEL_TRACES_EXPORTER", "none"))).isSameAs(Spans.NONE);
        assertThat(Spans.NONE.begin("start", Optional.of(CALLER)).context()).isEmpty();
    }

    @Test
    void refusesWhatCannotBeUsed() {
        assertThatThrownBy(() -> export("test", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "collector")))
                .hasMessageContaining("collector");
    }

    @Test
    void sendsWhatHasEndedToTheCollector() {
        Instant begin = Instant.parse("2026-11-01T00:00:00Z");
        try (Spans spans = export("faasimage-test", environment())) {
            Span span = spans.begin("start", Spans.Kind.SERVER, Optional.of(CALLER), begin);
            assertThat(span.context().orElseThrow().traceId()).isEqualTo(CALLER.traceId());
            span.set("text", "x".repeat(5000)).set("number", 7).failed("it broke");
            span.link(CALLER);
            span.end(begin.plus(Duration.ofMillis(5)));
            span.close();
        }
        assertThat(received.getFirst().getResource().getAttributesList().toString())
                .contains("service.name", "faasimage-test");
        assertThat(spans()).singleElement().satisfies(span -> {
            assertThat(HexFormat.of().formatHex(span.getTraceId().toByteArray()))
                    .isEqualTo(CALLER.traceId());
            assertThat(HexFormat.of().formatHex(span.getParentSpanId().toByteArray()))
                    .isEqualTo(CALLER.spanId());
            assertThat(span.getEndTimeUnixNano() - span.getStartTimeUnixNano()).isEqualTo(5_000_000);
            assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(span.getLinksCount()).isEqualTo(1);
            assertThat(span.getAttributesList())
                    .filteredOn(attribute -> attribute.getKey().equals("text"))
                    .singleElement()
                    .satisfies(attribute ->
                            assertThat(attribute.getValue().getStringValue()).hasSize(1000));
        });
    }

    @Test
    void sendsNothingOfTracesThatAreNotSampled() {
        try (Spans spans = export("faasimage-test", environment("OTEL_TRACES_SAMPLER_ARG", "0"))) {
            spans.begin("own", Optional.empty()).close();
            spans.begin(
                            "of a caller who does not record",
                            Optional.of(new TraceParent(CALLER.traceId(), CALLER.spanId(), false)))
                    .close();
            spans.begin("of a caller", Optional.of(CALLER)).close();
        }
        assertThat(spans())
                .singleElement()
                .satisfies(span -> assertThat(span.getName()).isEqualTo("of a caller"));
    }

    @Test
    void aCollectorThatIsAwayDelaysNothingAndIsCounted() {
        Map<String, String> environment = environment();
        collector.stop(0);
        long begin = System.nanoTime();
        OtlpSpans spans = (OtlpSpans) SpanExport.of("faasimage-test", environment, Duration.ofSeconds(1));
        for (int i = 0; i < 100_000; i++) {
            spans.begin("start", Optional.empty()).close();
        }
        spans.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        assertThat(spans.missing()).isEqualTo(100_000);
    }

    @Test
    void whatTheCollectorRefusesIsLost() {
        collector.removeContext("/v1/traces");
        collector.createContext("/v1/traces", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(400, -1);
            }
        });
        Spans spans = export("faasimage-test", environment());
        spans.begin("start", Optional.empty()).close();
        spans.close();
        assertThat(spans.lost()).isEqualTo(1);
    }

    @Test
    void spansThatAFullQueueHasNoRoomForAreToldOfWhileTheProcessRuns() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        collector.removeContext("/v1/traces");
        collector.createContext("/v1/traces", exchange -> {
            try (exchange) {
                busy.countDown();
                goOn.await();
                exchange.sendResponseHeaders(200, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        BlockingQueue<LogRecord> said = new LinkedBlockingQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                said.add(line);
            }

            @Override
            public void flush() {
                // Nothing waits.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        Logger log = Logger.getLogger(CountedExporter.class.getName());
        log.addHandler(handler);
        try (Spans spans = export("faasimage-test", environment())) {
            spans.begin("start", Optional.empty()).close();
            busy.await();
            for (int i = 0; i < 10_000; i++) {
                spans.begin("start", Optional.empty()).close();
            }
            goOn.countDown();
            LogRecord line = said.poll(30, TimeUnit.SECONDS);
            assertThat(line).isNotNull();
            assertThat(line.getMessage()).contains("are lost so far");
            // All but those that wait.
            assertThat(line.getParameters()).containsExactly(10_000L - 2048, 10_001L);
            assertThat(spans.lost()).isEqualTo(10_000 - 2048);
            spans.close();
            // Those that waited have been taken meanwhile.
            assertThat(spans.lost()).isEqualTo(10_000 - 2048);
        } finally {
            log.removeHandler(handler);
        }
    }
}
