package io.faasimage.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HttpProbeTest {
    private final AtomicInteger requests = new AtomicInteger();

    private HttpServer server(int failures) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            int status = requests.incrementAndGet() > failures ? 200 : 503;
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void asksUntilTheFirst200() throws Exception {
        HttpServer server = server(3);
        try {
            new HttpProbe(server.getAddress().getPort(), "/", "").awaitAnswer(Duration.ofSeconds(20));
            assertThat(requests).hasValue(4);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void saysWhatCameInstead() throws Exception {
        HttpServer server = server(Integer.MAX_VALUE);
        try {
            HttpProbe probe = new HttpProbe(server.getAddress().getPort(), "/", "");
            assertThatThrownBy(() -> probe.awaitAnswer(Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("503");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void seesATakenPort() throws Exception {
        HttpServer server = server(0);
        HttpProbe probe = new HttpProbe(server.getAddress().getPort(), "/", "");
        assertThat(probe.isTaken()).isTrue();
        server.stop(0);
        assertThat(probe.isTaken()).isFalse();
    }

    @Test
    void aRightStatusWithWrongContentIsAnErrorAtOnce() throws Exception {
        HttpServer server = server(0);
        try {
            HttpProbe probe = new HttpProbe(server.getAddress().getPort(), "/", "trace");
            assertThatThrownBy(() -> probe.awaitAnswer(Duration.ofMinutes(5)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a 200 without 'trace'");
            assertThat(requests).hasValue(1);
        } finally {
            server.stop(0);
        }
    }
}
