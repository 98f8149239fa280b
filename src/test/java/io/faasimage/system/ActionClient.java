package io.faasimage.system;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A client of an action's container, which calls it as OpenWhisk's invoker does. */
record ActionClient(String address) {
    private static final Duration START = Duration.ofMinutes(4);

    /** {@code /init}, as soon as the action listens. */
    JsonNode init(String code) throws IOException, InterruptedException {
        Map<String, ?> value = Map.of("name", "hello", "main", "main", "binary", false, "code", code, "env", Map.of());
        HttpResponse<String> answer = post("/init", Map.of("value", value), Duration.ofSeconds(30));
        return Json.mapper().readTree(answer.body());
    }

    /** {@code /run}. */
    HttpResponse<String> run(Map<String, ?> arguments, Duration limit) throws IOException, InterruptedException {
        return post(
                "/run",
                Map.of("value", arguments, "namespace", "guest", "action_name", "/guest/hello", "activation_id", "1"),
                limit);
    }

    private HttpResponse<String> post(String path, Map<String, ?> body, Duration limit)
            throws IOException, InterruptedException {
        String server = address + ":8080";
        Wait.until(START, "an action at " + server, () -> Ports.listens(server));
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server + path))
                    .timeout(limit)
                    .POST(BodyPublishers.ofString(Json.mapper().writeValueAsString(body)))
                    .build();
            return http.send(request, BodyHandlers.ofString());
        }
    }
}
