package io.faasimage.system;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.testing.LoopbackServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector of spans, by OTLP over HTTP, which keeps them. */
final class SpanReceiver implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final LoopbackServer server = new LoopbackServer().on("/v1/traces", this::take);

    /**
     * A span.
     *
     * @param parent its parent's identifier; empty at the root
     */
    record Received(String trace, String id, String parent, String name, Span span) {}

    String endpoint() {
        return server.address().toString();
    }

    private void take(HttpExchange exchange) throws IOException {
        ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes())
                .getResourceSpansList()
                .forEach(this::add);
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
    }

    private void add(ResourceSpans resource) {
        resource.getScopeSpansList().stream()
                .flatMap(scope -> scope.getSpansList().stream())
                .forEach(span -> received.add(new Received(
                        HEX.formatHex(span.getTraceId().toByteArray()),
                        HEX.formatHex(span.getSpanId().toByteArray()),
                        HEX.formatHex(span.getParentSpanId().toByteArray()),
                        span.getName(),
                        span)));
    }

    /** All spans so far. */
    List<Received> all() {
        return List.copyOf(received);
    }

    /** Those of one trace. */
    List<Received> of(String trace) {
        return received.stream().filter(span -> span.trace().equals(trace)).toList();
    }

    @Override
    public void close() {
        server.close();
    }
}
