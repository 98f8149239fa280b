package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.client.MinimumRate;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.RegistryLogins.Login;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client beside a registry that answers as each test needs. */
@Timeout(60)
class OciRegistryTest {
    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.UTF_8);
    private static final Digest BLOB = Digest.of(CONTENT);

    /** Path and authorization of each request to the other host. */
    private final List<String> other = new CopyOnWriteArrayList<>();

    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private HttpServer server;
    private HttpServer storage;
    private volatile Handler handler = exchange -> answer(exchange, 404, "");

    private interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    static OciRegistry.Options options(RegistryLogins logins) {
        MinimumRate rate = new MinimumRate(1000, Duration.ofMillis(400));
        Duration silence = Duration.ofMillis(300);
        return new OciRegistry.Options(
                HostRules.OPEN, logins, Optional.empty(), Duration.ofSeconds(10), silence, rate, 2, Mirrors.NONE);
    }

    @BeforeEach
    void start() throws IOException {
        server = serve(exchange -> {
            requests.incrementAndGet();
            handler.handle(exchange);
        });
        storage = serve(exchange -> {
            other.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, 200, new String(CONTENT, StandardCharsets.UTF_8));
        });
    }

    private static HttpServer serve(Handler answers) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.createContext("/", answers::handle);
        made.start();
        return made;
    }

    @AfterEach
    void stop() {
        done.countDown();
        server.stop(0);
        storage.stop(0);
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private ImageReference image() {
        return ImageReference.parse(host() + "/a/b:c");
    }

    private String elsewhere() {
        return "http://localhost:" + storage.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String body, String... header) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            if (header.length == 2) {
                exchange.getResponseHeaders().set(header[0], header[1]);
            }
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private OciRegistry registry() {
        return new OciRegistry(options(_ -> Optional.of(new Login("u", "p"))));
    }

    private static void fails(Kind kind, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    @Test
    void aBodyThatDoesNotComeIsGivenUp() {
        handler = exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            await(50_000);
        };
        try (OciRegistry registry = registry()) {
            fails(Kind.SLOW, "nothing arrived for 300 ms", () -> registry.manifest(image(), 1 << 20));
        }
        assertThat(requests).hasValue(1);
    }

    /** A peer that is slow for so long, or until the test is over. */
    private void await(long millis) {
        try {
            done.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aBodyThatDripsIsGivenUp() {
        handler = exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            for (int i = 0; i < 500; i++) {
                exchange.getResponseBody().write('a');
                exchange.getResponseBody().flush();
                await(20);
            }
        };
        try (OciRegistry registry = registry()) {
            fails(Kind.SLOW, "the minimum is 1000 bytes a second; --faasimage.budget.rate", () -> {
                try (InputStream in = registry.open(image(), BLOB)) {
                    in.readAllBytes();
                }
            });
        }
    }

    @Test
    void aLoginIsNotSentWhereTheRegistryRedirects() throws Exception {
        handler = exchange -> {
            String shown = exchange.getRequestHeaders().getFirst("Authorization");
            if (shown == null) {
                answer(exchange, 401, "", "WWW-Authenticate", "Basic realm=\"r\"");
            } else if (exchange.getRequestURI().getPath().equals("/same")) {
                answer(exchange, 307, "", "Location", elsewhere() + "/signed?x=1");
            } else {
                answer(exchange, 307, "", "Location", "/same");
            }
        };
        try (OciRegistry registry = registry();
                InputStream in = registry.open(image(), BLOB)) {
            assertThat(in.readAllBytes()).isEqualTo(CONTENT);
        }
        assertThat(other).containsExactly("/signed?x=1 null");
        assertThat(requests).hasValue(3);
    }

    @Test
    void redirectionsEnd() {
        handler = exchange -> answer(exchange, 302, "", "Location", "/again");
        try (OciRegistry registry = registry()) {
            fails(Kind.INVALID, "more than 5 times", () -> registry.open(image(), BLOB));
        }
        assertThat(requests).hasValue(6);
        handler = exchange -> answer(exchange, 302, "", "Location", "ftp://x/the-answer");
        try (OciRegistry registry = registry()) {
            fails(Kind.INVALID, "not HTTP", () -> registry.open(image(), BLOB));
        }
    }

    @Test
    void slowRedirectionsAreASlowAnswer() {
        handler = exchange -> {
            await(200);
            answer(exchange, 302, "", "Location", "/again");
        };
        OciRegistry.Options usual = options(_ -> Optional.empty());
        OciRegistry.Options hasty = new OciRegistry.Options(
                usual.policy(),
                usual.logins(),
                usual.tls(),
                Duration.ofMillis(500),
                usual.silence(),
                usual.rate(),
                1,
                usual.mirrors());
        try (OciRegistry registry = new OciRegistry(hasty)) {
            fails(Kind.SLOW, "only redirections", () -> registry.open(image(), BLOB));
        }
    }

    @Test
    void aDocumentIsRequestedAgainFromARegistryThatIsBusy() throws Exception {
        handler = exchange -> answer(exchange, requests.get() == 1 ? 503 : 200, "{}");
        try (OciRegistry registry = registry()) {
            assertThat(registry.manifest(image(), 2).digest())
                    .isEqualTo(Digest.of("{}".getBytes(StandardCharsets.UTF_8)));
        }
        handler =
                exchange -> answer(exchange, 404, "{\"errors\":[{\"code\":\"MANIFEST_UNKNOWN\",\"message\":\"x-y\"}]}");
        try (OciRegistry registry = registry()) {
            fails(
                    Kind.NOT_FOUND,
                    "could not get manifests/c of " + image() + ": the OCI registry answered 404 (MANIFEST_UNKNOWN);",
                    () -> registry.manifest(image(), 2));
        }
        assertThat(requests).hasValue(3);
    }

    @Test
    void aRegistryThatBreaksOffIsUnavailableAndNotOneWithoutTrust() throws Exception {
        try (ServerSocket rude = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                OciRegistry registry = registry()) {
            Thread.ofVirtual().start(() -> {
                while (!rude.isClosed()) {
                    try (Socket _ = rude.accept()) {
                        requests.incrementAndGet();
                    } catch (IOException e) {
                        // The test is over.
                        return;
                    }
                }
            });
            ImageReference image = ImageReference.parse("127.0.0.1:" + rude.getLocalPort() + "/a/b:c");
            fails(Kind.UNAVAILABLE, "could not get manifests/c of", () -> registry.manifest(image, 10));
        }
        assertThat(requests).as("twice, without TLS and with it").hasValueGreaterThanOrEqualTo(4);
    }

    @Test
    void documentsAreBoundedAndHaveTheirDigest() {
        handler = exchange -> answer(exchange, 200, "{\"a\":1}");
        try (OciRegistry registry = registry()) {
            fails(Kind.LIMIT, "more than the limit of 6 bytes", () -> registry.manifest(image(), 6));
            fails(Kind.MISMATCH, "push the image again", () -> registry.manifest(image().at(BLOB), 7));
            fails(Kind.MISMATCH, "push the image again", () -> registry.blob(image(), BLOB, 7));
        }
    }

    @Test
    void aRangeIsGivenOnlyIfItIsTheRequestedOne() throws Exception {
        try (OciRegistry registry = registry()) {
            handler = exchange -> answer(exchange, 206, "234", "Content-Range", "bytes 2-4/10");
            assertThat(registry.range(image(), BLOB, 2, 3)).contains("234".getBytes(StandardCharsets.UTF_8));
            assertThat(registry.range(image(), BLOB, 3, 3)).isEmpty();
            handler = exchange -> answer(exchange, 200, "0123456789");
            assertThat(registry.range(image(), BLOB, 2, 3)).isEmpty();
            handler = exchange -> answer(exchange, 416, "");
            assertThat(registry.range(image(), BLOB, 20, 3)).isEmpty();
            handler = exchange -> answer(exchange, 206, "23456", "Content-Range", "bytes 2-4/10");
            fails(Kind.LIMIT, "", () -> registry.range(image(), BLOB, 2, 3));
            handler = exchange -> answer(exchange, 404, "");
            fails(Kind.NOT_FOUND, "404", () -> registry.range(image(), BLOB, 2, 3));
        }
    }

    @Test
    void aProxyIsAskedForTheWholeAddress() throws Exception {
        ProxySelector usual = ProxySelector.getDefault();
        try (OciRegistry registry = registry()) {
            ProxySelector.setDefault(ProxySelector.of(storage.getAddress()));
            ImageReference image = ImageReference.parse("localhost:1/a/b:c");
            assertThat(registry.blob(image, BLOB, 100)).isEqualTo(CONTENT);
        } finally {
            ProxySelector.setDefault(usual);
        }
        assertThat(other).containsExactly("http://localhost:1/v2/a/b/blobs/" + BLOB + " null");
    }
}
