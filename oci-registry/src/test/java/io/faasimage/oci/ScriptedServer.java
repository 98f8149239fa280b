package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.RegistryLogins.Login;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** An HTTP server that answers as a test says, and remembers what it was asked. */
final class ScriptedServer implements AutoCloseable {
    /** Method, path and query of each request. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    /** The authorization of each request, or {@code null} as a text. */
    final List<String> logins = new CopyOnWriteArrayList<>();

    /** The client's port of each request. */
    final List<Integer> ports = new CopyOnWriteArrayList<>();

    volatile Handler handler = exchange -> answer(exchange, 404, "");
    private final HttpServer server;

    interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            logins.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            ports.add(exchange.getRemoteAddress().getPort());
            handler.handle(exchange);
        });
        server.start();
    }

    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    ImageReference image() {
        return ImageReference.parse(host() + "/a/b:c");
    }

    /** By another name, so that it is another host. */
    String elsewhere() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** @param headers names and values in turn */
    static void answer(HttpExchange exchange, int status, String body, String... headers) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, bytes.length == 0 || head ? -1 : bytes.length);
            if (!head) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    /** A client that has a login, and knows that there is no TLS here, which a first answer of 400 would suggest. */
    OciRegistry client(InstantSource clock) {
        OciRegistry client = new OciRegistry(OciRegistryTest.options(_ -> Optional.of(new Login("u", "p"))), clock);
        fails(Kind.NOT_FOUND, "404", () -> client.manifest(image(), 1));
        requests.clear();
        logins.clear();
        ports.clear();
        return client;
    }

    static void fails(Kind kind, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
