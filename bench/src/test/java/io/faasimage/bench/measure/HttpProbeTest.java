package io.faasimage.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HttpProbeTest {
    private final AtomicInteger requests = new AtomicInteger();

    private LoopbackServer server(int failures) {
        return new LoopbackServer()
                .on(
                        "/",
                        exchange ->
                                exchange.sendResponseHeaders(requests.incrementAndGet() > failures ? 200 : 503, -1));
    }

    @Test
    void asksUntilTheFirst200() throws Exception {
        try (LoopbackServer server = server(3)) {
            new HttpProbe(server.port(), "/", "").awaitAnswer(Duration.ofSeconds(20));
            assertThat(requests).hasValue(4);
        }
    }

    @Test
    void saysWhatCameInstead() throws Exception {
        try (LoopbackServer server = server(Integer.MAX_VALUE)) {
            HttpProbe probe = new HttpProbe(server.port(), "/", "");
            assertThatThrownBy(() -> probe.awaitAnswer(Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("503");
        }
    }

    @Test
    void seesATakenPort() throws Exception {
        LoopbackServer server = server(0);
        HttpProbe probe = new HttpProbe(server.port(), "/", "");
        assertThat(probe.isTaken()).isTrue();
        server.close();
        assertThat(probe.isTaken()).isFalse();
    }

    @Test
    void aRightStatusWithWrongContentIsAnErrorAtOnce() throws Exception {
        try (LoopbackServer server = server(0)) {
            HttpProbe probe = new HttpProbe(server.port(), "/", "trace");
            assertThatThrownBy(() -> probe.awaitAnswer(Duration.ofMinutes(5)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a 200 without 'trace'");
            assertThat(requests).hasValue(1);
        }
    }
}
