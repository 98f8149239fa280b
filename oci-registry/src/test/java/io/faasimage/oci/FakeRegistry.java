package io.faasimage.oci;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A registry that has each manifest and blob with the same content. */
final class FakeRegistry implements AutoCloseable {
    static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.UTF_8);

    /** The target of each request. */
    final List<String> requests = new CopyOnWriteArrayList<>();
    /** Authorization and test header of each request. */
    final List<String> headers = new CopyOnWriteArrayList<>();

    final LoopbackServer server = new LoopbackServer().on("/", this::answer);
    volatile LoopbackServer.Answer answer = exchange -> LoopbackServer.send(exchange, 200, CONTENT);

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        requests.add(exchange.getRequestURI().toString());
        headers.add(exchange.getRequestHeaders().getFirst("Authorization") + " "
                + exchange.getRequestHeaders().getOrDefault("X-Test", List.of()));
        answer.to(exchange);
    }

    void answers(int status) {
        answer = exchange -> LoopbackServer.send(exchange, status, "");
    }

    String host() {
        return "127.0.0.1:" + server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
