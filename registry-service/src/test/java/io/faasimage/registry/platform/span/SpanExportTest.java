package io.faasimage.registry.platform.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Wait;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SpanExportTest {
    private static final Instant BEGIN = Instant.parse("2026-11-01T00:00:00Z");
    private static final FinishedSpan SMALL = new FinishedSpan("start", BEGIN, BEGIN);

    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();
    private final LoopbackServer collector = new LoopbackServer();

    @BeforeEach
    void collect() {
        answer(exchange -> {
            received.addAll(ExportTraceServiceRequest.parseFrom(
                            exchange.getRequestBody().readAllBytes())
                    .getResourceSpansList());
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        });
    }

    private void answer(LoopbackServer.Answer answer) {
        collector.on("/v1/traces", answer);
    }

    @AfterEach
    void end() {
        collector.close();
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> variables = new HashMap<>(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address().toString()));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return variables;
    }

    private List<Span> spans() {
        return received.stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    private Span span(String name) {
        return spans().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void export(Spans spans, String subject) {
        spans.export(spans.traceId(subject).orElseThrow(), SMALL);
    }

    @Test
    void isOffUnlessAnEndpointIsNamed() {
        assertThat(SpanExport.of(Map.of())).isSameAs(Spans.NONE);
        assertThat(SpanExport.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", " "))).isSameAs(Spans.NONE);
        assertThat(SpanExport.of(environment("OTEL_SDK_DISABLED", "true"))).isSameAs(Spans.NONE);
        assertThat(SpanExport.of(environment("OTEL_TRACES_EXPORTER", "none"))).isSameAs(Spans.NONE);
        assertThat(Spans.NONE.traceId("start")).isEmpty();
    }

    @Test
    void refusesWhatCannotBeUsed() {
        assertThatThrownBy(() -> SpanExport.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "collector")))
                .hasMessageContaining("collector");
    }

    @Test
    void sendsATraceToTheCollector() {
        FinishedSpan child = new FinishedSpan("plan", BEGIN.plusMillis(1), BEGIN.plusMillis(3));
        FinishedSpan root = new FinishedSpan(
                "start",
                BEGIN,
                BEGIN.plusMillis(5),
                Map.of("text", "x".repeat(5000), "number", 7L),
                "it broke",
                List.of(child));
        String traceId;
        try (Spans spans = SpanExport.of(environment())) {
            traceId = spans.traceId("one").orElseThrow();
            assertThat(spans.traceId("one")).contains(traceId);
            assertThat(spans.traceId("two")).isNotEmpty().isNotEqualTo(spans.traceId("one"));
            spans.export(traceId, root);
        }
        assertThat(received.getFirst().getResource().getAttributesList().toString())
                .contains("service.name", "faasimage-registry-service");
        assertThat(spans())
                .hasSize(2)
                .allSatisfy(span -> assertThat(
                                HexFormat.of().formatHex(span.getTraceId().toByteArray()))
                        .isEqualTo(traceId));
        Span start = span("start");
        assertThat(start.getParentSpanId().isEmpty()).isTrue();
        assertThat(start.getStartTimeUnixNano()).isEqualTo(BEGIN.getEpochSecond() * 1_000_000_000);
        assertThat(start.getEndTimeUnixNano() - start.getStartTimeUnixNano()).isEqualTo(5_000_000);
        assertThat(start.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(start.getAttributesList())
                .anySatisfy(text -> assertThat(text.getValue().getStringValue()).hasSize(1000))
                .anySatisfy(
                        number -> assertThat(number.getValue().getIntValue()).isEqualTo(7));
        assertThat(span("plan").getParentSpanId()).isEqualTo(start.getSpanId());
        assertThat(span("plan").getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
    }

    @Test
    void samplesTheShareThatIsWanted() {
        List<String> subjects =
                IntStream.range(0, 1000).mapToObj(i -> "subject " + i).toList();
        try (Spans spans = SpanExport.of(environment("OTEL_TRACES_SAMPLER_ARG", "0.25"))) {
            List<String> sampled = subjects.stream()
                    .filter(subject -> spans.traceId(subject).isPresent())
                    .toList();
            assertThat(sampled).hasSizeBetween(180, 320);
            sampled.forEach(subject -> export(spans, subject));
            spans.close();
            assertThat(spans()).hasSameSizeAs(sampled);
        }
    }

    @Test
    void aCollectorThatIsAwayDelaysNothingAndIsCounted() {
        collector.close();
        long begin = System.nanoTime();
        Spans spans = SpanExport.of(environment());
        String traceId = spans.traceId("one").orElseThrow();
        for (int i = 0; i < 100_000; i++) {
            spans.export(traceId, SMALL);
        }
        assertThat(spans.lost()).isGreaterThanOrEqualTo(100_000 - 8192);
        spans.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void whatTheCollectorRefusesIsLost() {
        answer(exchange -> exchange.sendResponseHeaders(400, -1));
        Spans spans = SpanExport.of(environment());
        export(spans, "one");
        spans.close();
        assertThat(spans.lost()).isEqualTo(1);
    }

    @Test
    void tracesWithoutRoomAreLostWholeAndReportedWhileTheProcessRuns() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        answer(exchange -> {
            busy.countDown();
            goOn.await();
            exchange.sendResponseHeaders(200, -1);
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
        try (Spans spans = SpanExport.of(environment("OTEL_BSP_MAX_QUEUE_SIZE", "1000"))) {
            export(spans, "one");
            busy.await();
            FinishedSpan pair = new FinishedSpan("start", BEGIN, BEGIN, Map.of(), null, List.of(SMALL));
            for (int i = 0; i < 1000; i++) {
                spans.export(spans.traceId("one").orElseThrow(), pair);
            }
            // One span is being sent; 499 pairs wait.
            assertThat(spans.lost()).isEqualTo(1002);
            LogRecord line = said.poll(30, TimeUnit.SECONDS);
            assertThat(line).isNotNull();
            assertThat(line.getMessage()).contains("are lost so far");
            goOn.countDown();
            Wait.until("room", () -> {
                long before = spans.lost();
                export(spans, "one");
                return spans.lost() == before;
            });
        } finally {
            log.removeHandler(handler);
        }
    }
}
