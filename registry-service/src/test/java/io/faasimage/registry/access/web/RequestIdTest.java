package io.faasimage.registry.access.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.RequestId;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer has the name of its request: the client's, or one that may stand in a log. */
class RequestIdTest extends ServiceTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        service = TestService.plain(data);
    }

    private String answered(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(service.client().base().resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.discarding())
                .headers()
                .firstValue(RequestId.HEADER)
                .orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/health", "/v1/functions", "/v1/no-such-thing", "/actuator/health"})
    void theClientsNameComesBack(String path) throws IOException, InterruptedException {
        assertThat(answered(path, RequestId.HEADER, "node-7.a_B")).isEqualTo("node-7.a_B");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-x",
                "a b",
                "a\tb",
                "${jndi:x}",
                "[31m",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void anUnfitNameIsNotTaken(String name) throws IOException, InterruptedException {
        assertThat(answered("/v1/health", RequestId.HEADER, name)).matches("[0-9a-f]{16}");
    }

    @Test
    void aRequestWithoutNameGetsOne() throws IOException, InterruptedException {
        assertThat(answered("/v1/functions")).matches("[0-9a-f]{16}").isNotEqualTo(answered("/v1/functions"));
    }
}
