package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * A real OpenWhisk whose invoker runs containers by this machine's Docker Engine on the snapshotter:
 * {@code OPENWHISK_URL} is its controller, {@code OPENWHISK_AUTH} a user ({@code uuid:key}), {@code OPENWHISK_IMAGE} an
 * action's image that runs Python code.
 */
@Tag("release")
final class OpenWhiskIT {
    private static final String CODE =
            "def main(args):\n    return {'greeting': 'Hello ' + args.get('name', '') + '!'}\n";
    private static final String ACTION = "/api/v1/namespaces/_/actions/faasimagesystemtest";

    private static String url;
    private static String authorization;
    private static String image;

    @BeforeAll
    static void readEnvironment() {
        url = given("OPENWHISK_URL");
        image = given("OPENWHISK_IMAGE");
        byte[] user = given("OPENWHISK_AUTH").getBytes(StandardCharsets.UTF_8);
        authorization = "Basic " + Base64.getEncoder().encodeToString(user);
    }

    private static String given(String variable) {
        Optional<String> value = Optional.ofNullable(System.getenv(variable));
        if (value.isEmpty()) {
            String reason = "no real OpenWhisk: " + variable + " is not set (no package registry has one)";
            System.out.println("skipped: " + reason);
            Assumptions.abort(reason);
        }
        return value.orElseThrow();
    }

    private static JsonNode send(String method, String path, Object body) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(Duration.ofMinutes(3))
                    .header("Authorization", authorization)
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(Json.mapper().writeValueAsString(body)))
                    .build();
            var response = http.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return Json.mapper().readTree(response.body());
        }
    }

    @Test
    void anActionRunsOnTheSnapshotter() throws IOException, InterruptedException {
        Map<String, ?> exec = Map.of("kind", "blackbox", "image", image, "code", CODE, "binary", false, "main", "main");
        send("PUT", ACTION + "?overwrite=true", Map.of("exec", exec));
        try {
            JsonNode activation = send("POST", ACTION + "?blocking=true", Map.of("name", "bob"));
            assertThat(activation
                            .path("response")
                            .path("result")
                            .path("greeting")
                            .asString())
                    .isEqualTo("Hello bob!");
            assertThat(Shell.run("docker", "ps", "--quiet", "--all", "--filter", "name=faasimagesystemtest")
                            .ok())
                    .as("the invoker's engine is this one")
                    .isNotBlank();
            assertThat(Shell.run("docker", "info", "--format", "{{.Driver}}").ok())
                    .isEqualTo("faasimage\n");
        } finally {
            send("DELETE", ACTION, Map.of());
        }
    }
}
