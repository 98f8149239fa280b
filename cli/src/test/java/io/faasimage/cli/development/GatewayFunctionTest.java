package io.faasimage.cli.development;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway that knows no function at first, and whose functions need a moment. */
@Timeout(60)
final class GatewayFunctionTest {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/system/functions", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + body + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            boolean refused = body.contains("refused");
            answer(
                    exchange,
                    refused ? 400 : exchange.getRequestMethod().equals("PUT") ? 404 : 202,
                    refused ? "no such image" : "");
        });
        server.createContext(
                "/function/hello.dev/_/ready",
                exchange -> answer(exchange, calls.incrementAndGet() < 3 ? 503 : 200, ""));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private GatewayFunction function(String name) {
        URI gateway = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new GatewayFunction(gateway, Optional.of("secret"), name, Optional.of("dev"), "/_/ready");
    }

    @Test
    void aNewFunctionIsCreatedAndRequestedUntilItAnswers() throws IOException {
        CycleClock clock = new CycleClock(System.nanoTime());
        try (GatewayFunction function = function("hello")) {
            assertThat(function.deploy("r/hello:latest", clock).address()).endsWith("/function/hello.dev");
        }
        String body = "{\"service\":\"hello\",\"image\":\"r/hello:latest\",\"namespace\":\"dev\"}";
        assertThat(requests)
                .containsExactly("PUT " + body + " Basic YWRtaW46c2VjcmV0", "POST " + body + " Basic YWRtaW46c2VjcmV0");
        assertThat(calls).hasValue(3);
        assertThat(clock.steps()).containsOnlyKeys("deploy", "start");
    }

    @Test
    void aRefusalIsAnErrorWithTheGatewaysReason() {
        try (GatewayFunction function = function("refused")) {
            assertThatThrownBy(() -> function.deploy("r/refused:latest", new CycleClock(System.nanoTime())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not deploy refused: status 400: no such image");
        }
    }
}
