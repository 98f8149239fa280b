package io.faasimage.api.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds in time of a client whose service is slow or falls silent within a body. */
@Timeout(60)
final class ServiceClientTest {
    /** Long enough for an answer's head on a busy machine; the 32 bytes of a slow body take longer. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<Optional<String>> token = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<String>> seen = new AtomicReference<>(Optional.empty());
    private final LoopbackServer server = new LoopbackServer();
    private ServiceClient client;

    @BeforeEach
    void start() throws IOException {
        client = new ServiceClient(
                ServiceConfig.of(server.address(), token::get).withTimeouts(Duration.ofSeconds(2), ANSWER));
        warmUp();
    }

    /** A JVM's first request takes long, which these tests do not measure. */
    private void warmUp() {
        server.on("/v1/health", exchange -> exchange.sendResponseHeaders(200, -1));
        Wait.until("the server", client::healthy);
    }

    @AfterEach
    void stop() {
        client.close();
        over.countDown();
        server.close();
    }

    @Test
    void aBodyThatFallsSilentIsGivenUp() {
        answer(200, (body, text) -> {
            body.write(text, 0, 1);
            body.flush();
            over.await();
        });
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(client::jobs)
                .withMessageContaining("GET http://127.0.0.1")
                .withMessageContaining("nothing in " + ANSWER.toMillis() + " ms")
                .matches(ServiceException::retryable);
    }

    @Test
    void aSilentExplanationLeavesTheStatus() {
        answer(404, (body, text) -> {
            body.flush();
            over.await();
        });
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(client::jobs)
                .matches(ServiceException::notFound);
    }

    @Test
    void aBodyThatComesSlowlyIsReadWhole() throws IOException {
        answer(200, (body, text) -> {
            for (byte one : text) {
                Thread.sleep(ANSWER.toMillis() / 20);
                body.write(one);
                body.flush();
            }
        });
        assertThat(client.jobs()).isEmpty();
    }

    @Test
    void theTokenIsAskedForAtEveryRequest() throws IOException {
        answer(200, OutputStream::write);
        token.set(Optional.of("first"));
        assertThat(client.jobs()).isEmpty();
        assertThat(seen.get()).contains("Bearer first");
        token.set(Optional.of("second"));
        assertThat(client.jobs()).isEmpty();
        assertThat(seen.get()).contains("Bearer second");
    }

    private void answer(int status, Body how) {
        byte[] text = ("[" + " ".repeat(30) + "]").getBytes(UTF_8);
        server.on("/", exchange -> answer(exchange, status, how, text));
    }

    private void answer(HttpExchange exchange, int status, Body how, byte[] text)
            throws IOException, InterruptedException {
        seen.set(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
        exchange.sendResponseHeaders(status, text.length);
        how.write(exchange.getResponseBody(), text);
    }

    /** How a body is sent. */
    @FunctionalInterface
    private interface Body {
        void write(OutputStream body, byte[] text) throws IOException, InterruptedException;
    }
}
