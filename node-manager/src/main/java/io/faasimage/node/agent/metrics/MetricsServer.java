package io.faasimage.node.agent.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** An HTTP server for {@code GET /metrics}: a few requests at a time, each for a bounded time. */
public final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG = 8;
    private static final int MOST_AT_A_TIME = 4;

    static {
        // The server's own limits, in seconds and connections; it reads them once.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
        System.setProperty("jdk.httpserver.maxConnections", "32");
    }

    private final NodeMetrics metrics;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("metrics-", 0).factory());
    private final Semaphore places = new Semaphore(MOST_AT_A_TIME);

    private MetricsServer(NodeMetrics metrics, InetSocketAddress address) throws IOException {
        this.metrics = metrics;
        this.server = HttpServer.create(address, BACKLOG);
        server.createContext("/metrics", this::answer);
        server.setExecutor(threads);
    }

    /**
     * Serves {@code metrics} at {@code address}; port 0 is any free one.
     *
     * @throws IOException when that is not possible; the message names the address
     */
    public static MetricsServer start(NodeMetrics metrics, InetSocketAddress address) throws IOException {
        try {
            MetricsServer started = new MetricsServer(metrics, address);
            started.server.start();
            return started;
        } catch (IOException e) {
            throw new IOException(
                    "cannot serve metrics at " + address + ": " + e.getMessage() + "; choose another with --metrics",
                    e);
        }
    }

    /** Where it serves. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                exchange.sendResponseHeaders(404, -1);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                exchange.sendResponseHeaders(405, -1);
            } else if (!places.tryAcquire()) {
                exchange.sendResponseHeaders(503, -1);
            } else {
                try {
                    send(exchange);
                } finally {
                    places.release();
                }
            }
        }
    }

    private void send(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(text, metrics.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        exchange.getResponseHeaders().set("Content-Type", PrometheusTextFormatWriter.CONTENT_TYPE);
        exchange.sendResponseHeaders(200, text.size());
        text.writeTo(exchange.getResponseBody());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
