package io.faasimage.registry.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.TestService;
import io.faasimage.testing.Wait;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SpanFilterTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @TempDir
    Path data;

    @Test
    void requestsWithATraceAndTheTokenHaveSpansAndNoOthers() throws Exception {
        try (TestService service = TestService.start(data);
                HttpClient strangers = HttpClient.newHttpClient()) {
            for (String path :
                    List.of("/v1/health", "/v1/jobs", "/ui", "/ui/sign-in", "/actuator/health", "/v3/api-docs")) {
                strangers.send(
                        HttpRequest.newBuilder(service.base().resolve(path))
                                .header("traceparent", TRACE)
                                .build(),
                        BodyHandlers.discarding());
            }
            service.send(service.request("/v1/jobs"));
            service.send(service.request("/v1/jobs/none").header("traceparent", TRACE));
            Wait.until("a span", () -> !service.spans().ended().isEmpty());
            assertThat(service.spans().ended()).containsExactly("GET /v1/jobs/{id}");
        }
    }
}
