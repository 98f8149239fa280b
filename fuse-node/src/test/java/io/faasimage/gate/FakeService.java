package io.faasimage.gate;

import com.github.luben.zstd.Zstd;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A remote registry that can be down, slow or lying. */
final class FakeService implements AutoCloseable {
    /** How it answers for objects. */
    enum Mood {
        HONEST,
        CORRUPTING,
        TRUNCATING
    }

    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Optional<String> token = Optional.empty();
    private volatile Mood mood = Mood.HONEST;
    private HttpServer server;
    private final int port;

    FakeService() throws IOException {
        this.server = listen();
        this.port = server.getAddress().getPort();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    Digest add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Digest add(byte[] content) {
        Digest digest = Digest.of(content);
        objects.put("/v1/objects/" + digest.hex(), content);
        return digest;
    }

    /** Requests for this object wait until the latch is open. */
    CountDownLatch hold(Digest digest) {
        CountDownLatch latch = new CountDownLatch(1);
        held.put("/v1/objects/" + digest.hex(), latch);
        return latch;
    }

    void be(Mood wanted) {
        mood = wanted;
    }

    /** Refuses clients with another token. */
    void demand(String wanted) {
        token = Optional.of(wanted);
    }

    int requests() {
        return requests.get();
    }

    void goDown() {
        server.stop(0);
    }

    void comeBack() throws IOException {
        server = listen(port);
    }

    /** Below the ports that the kernel chooses for others, so that it can come back. */
    private HttpServer listen() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            try {
                return listen(ThreadLocalRandom.current().nextInt(20_000, 32_000));
            } catch (BindException e) {
                // Taken: the next one.
            }
        }
        throw new IOException("no free port between 20000 and 32000");
    }

    private HttpServer listen(int at) throws IOException {
        HttpServer fresh = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
        fresh.setExecutor(threads);
        fresh.createContext("/", this::answer);
        fresh.start();
        return fresh;
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] content = objects.get(exchange.getRequestURI().getPath());
        try (exchange) {
            if (content == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            if (token.isPresent() && !("Bearer " + token.get()).equals(authorization)) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            CountDownLatch latch = held.get(exchange.getRequestURI().getPath());
            if (latch != null) {
                latch.await();
            }
            switch (mood) {
                case HONEST -> send(exchange, Zstd.compress(content));
                case CORRUPTING -> {
                    byte[] other = content.clone();
                    other[0] ^= 1;
                    send(exchange, Zstd.compress(other));
                }
                case TRUNCATING -> {
                    byte[] whole = Zstd.compress(content);
                    send(exchange, java.util.Arrays.copyOf(whole, whole.length / 2));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, byte[] compressed) throws IOException {
        exchange.getResponseHeaders().set("Content-Encoding", "zstd");
        exchange.sendResponseHeaders(200, compressed.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(compressed);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
