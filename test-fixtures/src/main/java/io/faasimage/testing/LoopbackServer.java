package io.faasimage.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on a free port of the loopback interface, with a virtual thread for each request. */
public final class LoopbackServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** The answer to requests; the exchange ends with it, also where it waits when the server closes. */
    @FunctionalInterface
    public interface Answer {
        void to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    /** Starts one that answers 404. */
    public LoopbackServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.start();
    }

    /** Answers requests whose path begins with {@code path}, in the place of an earlier answer to these. */
    public LoopbackServer on(String path, Answer answer) {
        try {
            server.removeContext(path);
        } catch (IllegalArgumentException e) {
            // The first answer to them.
        }
        server.createContext(path, exchange -> {
            try (exchange) {
                answer.to(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return this;
    }

    /** Sends an answer whole. */
    public static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /** Variant with a text. */
    public static void send(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Its port. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Its address, without a path. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
