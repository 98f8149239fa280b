package io.faasimage.adapter;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.api.rest.Json;
import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** registry-service's functions over HTTP, in memory, with faults: down, slow, refusing. */
public final class StandInService implements AutoCloseable {
    public static final String DIGEST = "sha256:" + "0".repeat(64);
    public static final String CHAIN = "sha256:" + "1".repeat(64);

    public volatile int failWith;
    public volatile Duration delay = Duration.ZERO;
    public volatile String state = "UNTRACED";
    public final AtomicInteger registrations = new AtomicInteger();
    private final Map<String, String> images = new TreeMap<>();
    private final LoopbackServer server = new LoopbackServer().on("/", this::handle);

    public URI uri() {
        return server.address();
    }

    /** Image by registered name. */
    public synchronized Map<String, String> functions() {
        return new TreeMap<>(images);
    }

    /** Registers a function past the adapter. */
    public synchronized void put(String name, String image) {
        images.put(name, image);
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        LockSupport.parkNanos(delay.toNanos());
        try (exchange) {
            if (failWith != 0) {
                answer(exchange, failWith, Map.of("detail", "asked to fail"));
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/v1/images/")) {
                answer(exchange, 200, image());
            } else {
                functions(exchange, path, body);
            }
        }
    }

    private synchronized void functions(HttpExchange exchange, String path, byte[] body) throws IOException {
        String name = path.startsWith("/v1/functions/") ? path.substring("/v1/functions/".length()) : "";
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                JsonNode request = Json.mapper().readTree(body);
                registrations.incrementAndGet();
                images.put(
                        request.path("name").asString(), request.path("image").asString());
                answer(exchange, 201, function(request.path("name").asString()));
            }
            case "DELETE" -> answer(exchange, images.remove(name) == null ? 404 : 200, Map.of("function", name));
            default -> {
                if (name.isEmpty()) {
                    answer(
                            exchange,
                            200,
                            images.keySet().stream().map(this::function).toList());
                } else {
                    answer(exchange, images.containsKey(name) ? 200 : 404, function(name));
                }
            }
        }
    }

    private Map<String, Object> function(String name) {
        return Map.of(
                "name", name,
                "image", images.getOrDefault(name, ""),
                "digest", DIGEST,
                "state", state,
                "created", "2026-01-01T00:00:00Z");
    }

    private Map<String, Object> image() {
        Map<String, Object> image = new LinkedHashMap<>(Map.of(
                "digest", DIGEST, "name", "i", "state", state, "compressedSize", 1, "planVersion", 1, "traceRuns", 1));
        image.put("tracedFiles", 1);
        image.put("chains", new String[] {CHAIN});
        image.put("functions", new String[0]);
        image.put("segments", new String[0]);
        image.put("libraries", new String[0]);
        image.put("created", "2026-01-01T00:00:00Z");
        return image;
    }

    private static void answer(HttpExchange exchange, int status, Object json) throws IOException {
        byte[] body = Json.mapper().writeValueAsString(json).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.close();
    }
}
