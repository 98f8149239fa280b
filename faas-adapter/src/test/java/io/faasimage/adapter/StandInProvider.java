package io.faasimage.adapter;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.api.rest.Json;
import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/**
 * A provider that answers as faasd 0.19 does, in memory: same routes, states, codes and texts. Records its requests.
 */
public final class StandInProvider implements AutoCloseable {
    public static final String AUTHORIZATION = "Basic YWRtaW46c2VjcmV0";

    /** Requests as they arrived: method, undecoded URI, headers but those of one connection, body. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    private final Map<String, Map<String, Object>> functions = new TreeMap<>();
    private final Map<String, String> secrets = new TreeMap<>();
    private final LoopbackServer server = new LoopbackServer().on("/", this::handle);

    public URI uri() {
        return server.address();
    }

    /** Deploys or scales a function past the adapter. */
    public synchronized void put(String name, String image, int replicas) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", name);
        status.put("image", image);
        status.put("namespace", "openfaas-fn");
        status.put("replicas", replicas);
        functions.put(name, status);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getRawPath();
        Map<String, List<String>> headers = new TreeMap<>(exchange.getRequestHeaders());
        headers.keySet().removeAll(List.of("Connection", "Host"));
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + headers + " " + body);
        try (exchange) {
            if (path.startsWith("/function/")) {
                invoke(exchange, body);
            } else if (path.equals("/healthz")) {
                answer(exchange, 200, "");
            } else if (path.startsWith("/api/v1/")) {
                // A controller of OpenWhisk, which takes every action but this.
                answer(exchange, path.endsWith("/refused") ? 409 : 200, "{}");
            } else if (path.startsWith("/system/namespaces")) {
                answer(exchange, 200, "[\"openfaas-fn\"]");
            } else if (!AUTHORIZATION.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"Restricted\"");
                answer(exchange, 401, "invalid credentials\n");
            } else {
                system(exchange, path, body);
            }
        }
    }

    private void system(HttpExchange exchange, String path, String body) throws IOException {
        if (path.equals("/system/functions")) {
            functions(exchange, body);
        } else if (path.startsWith("/system/function/")) {
            Optional<Map<String, Object>> found = function(path.substring("/system/function/".length()));
            answer(
                    exchange,
                    found.isPresent() ? 200 : 404,
                    found.map(this::json).orElse(""));
        } else if (path.startsWith("/system/scale-function/")) {
            scale(exchange, path.substring("/system/scale-function/".length()), body);
        } else if (path.equals("/system/info")) {
            answer(
                    exchange,
                    200,
                    "{\"provider\":\"faasd\",\"version\":{\"release\":\"0.19.0\"},\"orchestration\":\"containerd\"}");
        } else if (path.equals("/system/secrets")) {
            secrets(exchange, body);
        } else if (path.startsWith("/system/namespace/")) {
            answer(exchange, exchange.getRequestMethod().equals("POST") ? 201 : 501, "");
        } else if (path.equals("/system/logs")) {
            logs(exchange);
        } else {
            answer(exchange, 404, "404 page not found\n");
        }
    }

    private synchronized Optional<Map<String, Object>> function(String name) {
        return Optional.ofNullable(functions.get(name));
    }

    private synchronized void functions(HttpExchange exchange, String body) throws IOException {
        String method = exchange.getRequestMethod();
        if (method.equals("GET")) {
            answer(exchange, 200, json(new ArrayList<>(functions.values())));
            return;
        }
        if (!body.startsWith("{")) {
            answer(exchange, 400, "invalid character 'o' in literal null\n");
            return;
        }
        JsonNode request = Json.mapper().readTree(body);
        String name = request.path(method.equals("DELETE") ? "functionName" : "service")
                .asString("");
        boolean there = functions.containsKey(name);
        if (method.equals("POST") ? name.isEmpty() : !there) {
            answer(exchange, method.equals("POST") ? 400 : 404, "service " + name + " not found\n");
        } else if (request.path("image").asString("").contains("cannot-be-pulled")) {
            answer(exchange, 400, "unable to pull image\n");
        } else {
            if (method.equals("DELETE")) {
                functions.remove(name);
            } else {
                put(name, request.path("image").asString(), 1);
            }
            answer(exchange, 200, "");
        }
    }

    private synchronized void scale(HttpExchange exchange, String name, String body) throws IOException {
        Map<String, Object> status = functions.get(name);
        if (status == null) {
            answer(exchange, 404, "service " + name + " not found\n");
            return;
        }
        status.put("replicas", Json.mapper().readTree(body).path("replicas").asInt());
        answer(exchange, 200, "");
    }

    private synchronized void secrets(HttpExchange exchange, String body) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            answer(
                    exchange,
                    200,
                    json(secrets.keySet().stream().map(n -> Map.of("name", n)).toList()));
        } else {
            JsonNode secret = Json.mapper().readTree(body);
            secrets.put(secret.path("name").asString(), secret.path("value").asString(""));
            answer(exchange, 200, "");
        }
    }

    private static void logs(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
        exchange.sendResponseHeaders(200, 0);
        for (int i = 0; i < 3; i++) {
            exchange.getResponseBody()
                    .write(("{\"name\":\"fn1\",\"text\":\"line " + i + "\"}\n").getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }
    }

    private void invoke(HttpExchange exchange, String body) throws IOException {
        exchange.getResponseHeaders().add("X-Method", exchange.getRequestMethod());
        exchange.getResponseHeaders().add("Set-Cookie", "a=1");
        exchange.getResponseHeaders().add("Set-Cookie", "b=2");
        answer(exchange, 200, exchange.getRequestURI() + "\n" + body);
    }

    private String json(Object value) {
        return Json.mapper().writeValueAsString(value);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("text/plain; charset=utf-8"));
        exchange.sendResponseHeaders(status, none ? -1 : body.length);
        if (!none) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
