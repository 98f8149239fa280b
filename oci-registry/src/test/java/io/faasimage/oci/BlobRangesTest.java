package io.faasimage.oci;

import static io.faasimage.oci.ScriptedServer.answer;
import static io.faasimage.oci.ScriptedServer.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges from registries that give them, send the whole blob, redirect to storage or break off. */
@Timeout(60)
class BlobRangesTest {
    private static final String CONTENT = "0123456789";
    private static final Digest BLOB = Digest.of(CONTENT.getBytes(StandardCharsets.UTF_8));
    private static final String PATH = "/v2/a/b/blobs/" + BLOB;

    private final TestClock clock = new TestClock();
    private ScriptedServer server;
    private ScriptedServer storage;
    private OciRegistry registry;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        storage = new ScriptedServer();
        storage.handler = BlobRangesTest::partial;
        registry = server.client(clock);
    }

    @AfterEach
    void stop() {
        registry.close();
        server.close();
        storage.close();
    }

    /** The requested range. */
    private static void partial(HttpExchange exchange) throws IOException {
        String[] range = exchange.getRequestHeaders()
                .getFirst("Range")
                .replace("bytes=", "")
                .split("-", 2);
        int from = Integer.parseInt(range[0]);
        int last = Integer.parseInt(range[1]);
        answer(exchange, 206, CONTENT.substring(from, last + 1), "Content-Range", "bytes " + from + "-" + last + "/10");
    }

    private void redirects(String target) {
        server.handler = exchange -> {
            if (exchange.getRequestHeaders().getFirst("Authorization") == null) {
                answer(exchange, 401, "", "WWW-Authenticate", "Basic realm=\"r\"");
            } else {
                answer(exchange, 307, "", "Location", target);
            }
        };
    }

    private String read(ImageReference image, long from, long to) throws IOException {
        try (InputStream in = registry.open(image, BLOB, from, to)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String read(long from, long to) throws IOException {
        return read(server.image(), from, to);
    }

    @Test
    void aRangeIsOneRequestAndItsConnectionIsKept() throws Exception {
        server.handler = BlobRangesTest::partial;
        assertThat(read(2, 5)).isEqualTo("234");
        try (InputStream in = registry.open(server.image(), BLOB, 9, 10)) {
            assertThat(in.read()).isEqualTo('9');
            assertThat(in.read(new byte[1], 0, 0)).isZero();
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(server.requests).containsExactly("GET " + PATH, "GET " + PATH);
        assertThat(server.ports.get(1)).isEqualTo(server.ports.get(0));
    }

    @Test
    void aWholeBlobIsReadUpToTheRange() throws Exception {
        server.handler = exchange -> answer(exchange, 200, CONTENT);
        assertThat(read(2, 5)).isEqualTo("234");
        assertThat(read(0, 10)).isEqualTo(CONTENT);
        fails(Kind.INVALID, "the blob has 10 bytes, and none at 10", () -> read(5, 11));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes 3-5/10", "bytes 2-5/10", "bytes 2-40/100", ""})
    void anotherRangeIsNotTheRequestedOne(String given) {
        server.handler = exchange -> answer(exchange, 206, "234", "Content-Range", given);
        fails(Kind.INVALID, "another range", () -> read(2, 5));
    }

    @ParameterizedTest
    @CsvSource({"416, INVALID", "404, NOT_FOUND", "400, INVALID", "204, INVALID", "503, UNAVAILABLE"})
    void otherAnswersAreErrors(int status, Kind kind) {
        server.handler = exchange -> answer(exchange, status, "");
        fails(kind, "could not get blobs/" + BLOB, () -> read(2, 5));
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void noRangeIsEmptyOrNegative() {
        assertThatThrownBy(() -> read(3, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(-1, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 206 OK\r\nContent-Length: 5\r\nContent-Range: bytes 2-6/10\r\n\r\n234",
                "HTTP/1.1 206 OK\r\nConnection: close\r\nContent-Range: bytes 2-6/10\r\n\r\n234",
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n01234",
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n0",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01"
            })
    void aStreamThatEndsEarlyFails(String answer) throws Exception {
        try (ServerSocket rude = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!rude.isClosed()) {
                    try (Socket socket = rude.accept()) {
                        readHead(socket.getInputStream());
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        // The test is over.
                        return;
                    }
                }
            });
            ImageReference image = ImageReference.parse("127.0.0.1:" + rude.getLocalPort() + "/a/b:c");
            fails(Kind.UNAVAILABLE, "could not get blobs/" + BLOB, () -> read(image, 2, 7));
        }
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.append((char) next);
        }
    }

    @Test
    void theTargetOfARedirectIsRememberedAndGetsNoLogin() throws Exception {
        redirects(storage.elsewhere() + "/signed?x=1");
        assertThat(read(2, 5)).isEqualTo("234");
        assertThat(server.requests).hasSize(2);
        assertThat(read(5, 7)).isEqualTo("56");
        clock.pass(BlobRanges.REMEMBERED);
        assertThat(read(0, 1)).isEqualTo("0");
        assertThat(server.requests).hasSize(2);
        assertThat(storage.requests).hasSize(3).containsOnly("GET /signed?x=1");
        assertThat(storage.logins).containsOnly("null");
        clock.pass(Duration.ofSeconds(1));
        assertThat(read(7, 9)).isEqualTo("78");
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void aTargetIsOfOneRepositoryAndBlob() throws Exception {
        redirects(storage.elsewhere() + "/signed");
        assertThat(read(2, 5)).isEqualTo("234");
        server.handler = exchange -> answer(exchange, 404, "");
        ImageReference other = ImageReference.parse(server.host() + "/a/other:c");
        fails(Kind.NOT_FOUND, "404", () -> read(other, 2, 5));
        fails(Kind.NOT_FOUND, "404", () -> registry.open(server.image(), Digest.of(new byte[0]), 2, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 416, 500, 302, 200, 206})
    void atATargetThatIsOverTheRegistryIsAskedAgain(int status) throws Exception {
        redirects(storage.elsewhere() + "/old");
        assertThat(read(2, 5)).isEqualTo("234");
        redirects(storage.elsewhere() + "/new");
        // An expired page, which is too short, and the start of the blob are no ranges either.
        storage.handler = exchange -> {
            if (exchange.getRequestURI().getPath().equals("/new")) {
                partial(exchange);
            } else {
                answer(exchange, status, "x", "Location", "/new", "Content-Range", "bytes 0-0/10");
            }
        };
        assertThat(read(5, 7)).isEqualTo("56");
        assertThat(read(7, 9)).isEqualTo("78");
        assertThat(storage.requests).containsExactly("GET /old", "GET /old", "GET /new", "GET /new");
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void atATargetThatIsGoneTheRegistryIsAskedAgain() throws Exception {
        redirects(storage.elsewhere() + "/old");
        assertThat(read(2, 5)).isEqualTo("234");
        storage.close();
        server.handler = BlobRangesTest::partial;
        assertThat(read(5, 7)).isEqualTo("56");
    }

    @Test
    void aTargetThatIsOverIsForgotten() throws Exception {
        redirects(storage.elsewhere() + "/old");
        assertThat(read(2, 5)).isEqualTo("234");
        storage.handler = exchange -> answer(exchange, 403, "");
        server.handler = BlobRangesTest::partial;
        assertThat(read(5, 7)).isEqualTo("56");
        assertThat(read(7, 9)).isEqualTo("78");
        assertThat(storage.requests).hasSize(2);
    }

    @Test
    void aTargetMaySendTheWholeBlob() throws Exception {
        redirects(storage.elsewhere() + "/signed");
        storage.handler = exchange -> answer(exchange, 200, CONTENT);
        assertThat(read(2, 5)).isEqualTo("234");
        assertThat(read(5, 7)).isEqualTo("56");
        assertThat(server.requests).hasSize(2);
    }

    @Test
    void aRedirectOnTheRegistrysOwnHostIsNotRemembered() throws Exception {
        server.handler = exchange -> {
            if (exchange.getRequestHeaders().getFirst("Authorization") == null) {
                answer(exchange, 401, "", "WWW-Authenticate", "Basic realm=\"r\"");
            } else if (exchange.getRequestURI().getPath().equals("/same")) {
                partial(exchange);
            } else {
                answer(exchange, 307, "", "Location", "/same");
            }
        };
        assertThat(read(2, 5)).isEqualTo("234");
        assertThat(read(5, 7)).isEqualTo("56");
        assertThat(server.requests)
                .containsExactly("GET " + PATH, "GET " + PATH, "GET /same", "GET " + PATH, "GET /same");
    }

    @Test
    void anExpiredTokenIsRenewedBetweenRanges() throws Exception {
        AtomicReference<String> accepted = new AtomicReference<>("Bearer t1");
        server.handler = exchange -> {
            if (exchange.getRequestURI().getPath().equals("/token")) {
                answer(exchange, 200, "{\"token\": \"" + accepted.get().substring(7) + "\"}");
            } else if (accepted.get().equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                partial(exchange);
            } else {
                String realm = "Bearer realm=\"http://" + server.host() + "/token\",scope=\"repository:a/b:pull\"";
                answer(exchange, 401, "", "WWW-Authenticate", realm);
            }
        };
        assertThat(read(2, 5)).isEqualTo("234");
        accepted.set("Bearer t2");
        assertThat(read(5, 7)).isEqualTo("56");
        assertThat(server.logins).contains("Bearer t1", "Bearer t2");
    }
}
