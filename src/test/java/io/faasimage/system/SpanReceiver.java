package io.faasimage.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * Reads spans as a collector does, by OTLP over HTTP; hands them on to a real one when there is one, and its answers
 * back.
 */
final class SpanReceiver implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final HttpClient http = HttpClient.newHttpClient();
    private final Optional<URI> collector;

    /**
     * A span.
     *
     * @param service that sent it
     * @param parent its parent's identifier; empty at the root
     */
    record Received(String service, String trace, String id, String parent, String name, Span span) {}

    /** Hands on to {@code collector}. */
    SpanReceiver(Optional<URI> collector) throws IOException {
        this.collector = collector;
        server.createContext("/v1/traces", this::take);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(this::add);
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(collector.isPresent() ? handOn(collector.get(), body) : 200, -1);
        }
    }

    private int handOn(URI to, byte[] body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(to.resolve("/v1/traces"))
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 503;
        }
    }

    private void add(ResourceSpans resource) {
        String service = resource.getResource().getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("service.name"))
                .map(attribute -> attribute.getValue().getStringValue())
                .findFirst()
                .orElse("");
        resource.getScopeSpansList().stream()
                .flatMap(scope -> scope.getSpansList().stream())
                .forEach(span -> received.add(new Received(
                        service,
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
        server.stop(0);
        http.close();
    }
}
