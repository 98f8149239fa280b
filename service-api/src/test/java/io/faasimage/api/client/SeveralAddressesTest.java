package io.faasimage.api.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.format.id.Digest;
import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service with two addresses. */
@Timeout(60)
final class SeveralAddressesTest {
    private static final Digest OBJECT = Digest.of(new byte[] {1});

    private Replica first;
    private Replica second;
    private ServiceClient client;

    private static final class Replica {
        private final LoopbackServer server = new LoopbackServer().on("/", this::answer);
        private final AtomicInteger requests = new AtomicInteger();
        private volatile int status = 200;
        private volatile boolean cut;

        private void answer(HttpExchange exchange) throws IOException {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            byte[] text = "[]".getBytes(UTF_8);
            exchange.sendResponseHeaders(status, cut ? text.length + 1 : text.length);
            exchange.getResponseBody().write(text);
            exchange.getResponseBody().flush();
        }

        URI address() {
            return server.address();
        }
    }

    @BeforeEach
    void start() throws IOException {
        first = new Replica();
        second = new Replica();
        client = new ServiceClient(ServiceConfig.of(List.of(first.address(), second.address()), Optional::empty)
                .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(10)));
    }

    @AfterEach
    void stop() {
        client.close();
        first.server.close();
        second.server.close();
    }

    @Test
    void theFirstIsUsedWhileItAnswers() throws IOException {
        client.jobs();
        client.jobs();
        assertThat(first.requests).hasValue(2);
        assertThat(second.requests).hasValue(0);
    }

    @Test
    void anotherAnswersWhenOneFailsAndIsTriedFirstForAWhile() throws IOException {
        first.status = 502;
        client.jobs();
        first.status = 200;
        client.jobs();
        assertThat(first.requests).hasValue(1);
        assertThat(second.requests).hasValue(2);
        second.status = 502;
        client.jobs();
        assertThat(first.requests).hasValue(2);
    }

    @Test
    void nobodyThereIsAFailureAsWell() throws IOException {
        first.server.close();
        client.jobs();
        assertThat(second.requests).hasValue(1);
    }

    @Test
    void aRefusalIsAnAnswer() {
        for (int status : List.of(404, 401, 429)) {
            first.status = status;
            assertThatExceptionOfType(ServiceException.class)
                    .isThrownBy(client::jobs)
                    .matches(e -> e.status() == status);
        }
        assertThat(second.requests).hasValue(0);
    }

    @Test
    void whatMayHaveBeenDoneIsNotRepeatedElsewhere() {
        first.status = 502;
        assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> client.postTrace(new byte[1]));
        assertThat(second.requests).hasValue(0);
    }

    @Test
    void whatWasNotSentIsSentElsewhere() {
        first.server.close();
        second.status = 400;
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(() -> client.postTrace(new byte[1]))
                .matches(e -> e.status() == 400);
        assertThat(second.requests).hasValue(1);
    }

    @Test
    void aBodyThatBreaksOffSendsTheNextRequestElsewhere() throws IOException {
        first.cut = true;
        try (ServiceClient.ObjectContent content = client.object(OBJECT)) {
            assertThatIOException().isThrownBy(content.body()::readAllBytes);
        }
        client.jobs();
        assertThat(second.requests).hasValue(1);
    }

    @Test
    void oneThatFailedIsTheFirstAgainAfterAWhile() {
        AtomicLong now = new AtomicLong();
        ServiceConfig config = ServiceConfig.of(List.of(first.address(), second.address()), Optional::empty);
        Addresses addresses = new Addresses(config, now::get);
        Addresses.Address failing = addresses.inOrder().getFirst();
        addresses.failed(failing);
        assertThat(addresses.inOrder()).hasSize(2).last().isSameAs(failing);
        now.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(addresses.inOrder()).first().isSameAs(failing);
    }

    @Test
    void addressesAreReadFromOneText() {
        assertThat(ServiceConfig.parse("http://a:1, https://b/x"))
                .containsExactly(URI.create("http://a:1"), URI.create("https://b/x"));
        for (String wrong : List.of("", "http://a,", "a:1", "http://a,ftp://b")) {
            assertThatIllegalArgumentException().isThrownBy(() -> ServiceConfig.parse(wrong));
        }
    }
}
