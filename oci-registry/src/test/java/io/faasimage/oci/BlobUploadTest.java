package io.faasimage.oci;

import static io.faasimage.oci.ScriptedServer.answer;
import static io.faasimage.oci.ScriptedServer.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.format.id.Digest;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.OciPush.Content;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads to registries that take, refuse, redirect, stall and break off. */
@Timeout(60)
class BlobUploadTest {
    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.UTF_8);
    private static final Digest BLOB = Digest.of(CONTENT);
    private static final String HEAD = "HEAD /v2/a/b/blobs/" + BLOB;
    private static final String POST = "POST /v2/a/b/blobs/uploads/";
    private static final String PUT = "PUT /up?state=s&digest=" + BLOB;

    /** Length and content of each upload. */
    private final List<String> uploads = new CopyOnWriteArrayList<>();

    private final AtomicInteger opened = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean there;
    private volatile String location = "/up?state=s";
    private ScriptedServer server;
    private ScriptedServer other;
    private OciRegistry registry;
    private OciPush push;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        other = new ScriptedServer();
        registry = server.client(new TestClock());
        push = new OciPush(registry);
        server.handler = this::takes;
        other.handler = this::takes;
    }

    @AfterEach
    void stop() {
        over.countDown();
        registry.close();
        server.close();
        other.close();
    }

    private void takes(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "HEAD" -> answer(exchange, there ? 200 : 404, "");
            case "POST" -> answer(exchange, 202, "", "Location", location);
            default -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                uploads.add(exchange.getRequestHeaders().getFirst("Content-Length") + " " + body);
                there = true;
                answer(exchange, 201, "");
            }
        }
    }

    private InputStream content() {
        opened.incrementAndGet();
        return new ByteArrayInputStream(CONTENT);
    }

    private boolean blob() throws IOException {
        return push.blob(server.image(), BLOB, CONTENT.length, this::content);
    }

    private static boolean isPut(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("PUT");
    }

    @Test
    void aBlobIsSentOnce() throws Exception {
        assertThat(blob()).isTrue();
        assertThat(server.requests).containsExactly(HEAD, POST, PUT);
        assertThat(uploads).containsExactly("10 0123456789");
        assertThat(blob()).isFalse();
        assertThat(server.requests).containsExactly(HEAD, POST, PUT, HEAD);
        assertThat(opened).hasValue(1);
    }

    @Test
    void aPlaceMayBeAWholeAddressWithoutAQuery() throws Exception {
        location = "http://" + server.host() + "/v2/a/b/blobs/uploads/7";
        assertThat(blob()).isTrue();
        assertThat(server.requests).endsWith("PUT /v2/a/b/blobs/uploads/7?digest=" + BLOB);
        location = "relative";
        there = false;
        assertThat(blob()).isTrue();
        assertThat(server.requests).endsWith("PUT /v2/a/b/blobs/uploads/relative?digest=" + BLOB);
    }

    @Test
    void aLoginIsForItsOwnHost() throws Exception {
        server.handler = exchange -> {
            if (exchange.getRequestHeaders().getFirst("Authorization") == null) {
                answer(exchange, 401, "", "WWW-Authenticate", "Basic realm=\"r\"");
            } else {
                takes(exchange);
            }
        };
        assertThat(blob()).isTrue();
        assertThat(server.requests).containsExactly(HEAD, HEAD, POST, PUT);
        assertThat(server.logins.getLast()).startsWith("Basic ");
        there = false;
        location = other.elsewhere() + "/up?state=s";
        assertThat(blob()).isTrue();
        assertThat(other.requests).containsExactly(PUT);
        assertThat(other.logins).containsExactly("null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x/y", "http:// x", ""})
    void aPlaceThatIsNoneIsNotTried(String place) {
        location = place;
        server.handler = exchange -> {
            if (place.isEmpty() && exchange.getRequestMethod().equals("POST")) {
                answer(exchange, 202, "");
            } else {
                takes(exchange);
            }
        };
        fails(Kind.INVALID, "could not push blobs/" + BLOB + " of " + server.image(), this::blob);
        assertThat(opened).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 429", "POST, 429", "POST, 503", "PUT, 429", "PUT, 500"})
    void aRegistryThatIsBusyIsTriedAgain(String method, int status) throws Exception {
        AtomicInteger refused = new AtomicInteger();
        server.handler = exchange -> {
            if (exchange.getRequestMethod().equals(method) && refused.getAndIncrement() == 0) {
                exchange.getRequestBody().readAllBytes();
                answer(exchange, status, "");
            } else {
                takes(exchange);
            }
        };
        assertThat(blob()).isTrue();
        assertThat(uploads).containsExactly("10 0123456789");
        assertThat(opened).as("from its start, each time").hasValue(method.equals("PUT") ? 2 : 1);
    }

    @Test
    void attemptsEnd() {
        server.handler = exchange -> answer(exchange, 503, "");
        fails(Kind.UNAVAILABLE, "answered 503", this::blob);
        assertThat(server.requests).hasSize(2);
    }

    @Test
    void anUploadWhoseAnswerIsCutMayHaveArrived() throws Exception {
        server.handler = exchange -> {
            if (isPut(exchange)) {
                there = true;
                exchange.close();
            } else {
                takes(exchange);
            }
        };
        assertThat(blob()).isTrue();
        assertThat(server.requests).containsExactly(HEAD, POST, PUT, HEAD);
    }

    @Test
    void aConnectionThatIsCutInTheBodyIsTriedAgainFromTheStart() throws Exception {
        AtomicInteger cut = new AtomicInteger();
        byte[] large = new byte[4 << 20];
        server.handler = exchange -> {
            if (isPut(exchange) && cut.getAndIncrement() == 0) {
                exchange.getRequestBody().readNBytes(1000);
                exchange.close();
            } else if (isPut(exchange)) {
                uploads.add(String.valueOf(exchange.getRequestBody().readAllBytes().length));
                answer(exchange, 201, "");
            } else {
                takes(exchange);
            }
        };
        assertThat(push.blob(server.image(), Digest.of(large), large.length, () -> new ByteArrayInputStream(large)))
                .isTrue();
        assertThat(uploads).containsExactly("4194304");
        assertThat(cut).as("no connection is given what is left of a body").hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({"400, INVALID, DIGEST_INVALID", "403, UNAUTHORIZED, DENIED", "404, INVALID, NAME_UNKNOWN"})
    void aRefusalIsFinal(int status, Kind kind, String code) {
        server.handler = exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, status, "{\"errors\": [{\"code\": \"" + code + "\", \"message\": \"s3cret\"}]}");
        };
        // A HEAD that says as much is not what is reported: it has no body.
        fails(kind, "the OCI registry answered " + status + " (" + code + ")", this::blob);
        assertThat(opened).hasValue(0);
        server.handler = exchange -> {
            if (isPut(exchange)) {
                exchange.getRequestBody().readAllBytes();
                answer(exchange, status, "{\"errors\": [{\"code\": \"" + code + "\"}]}");
            } else {
                takes(exchange);
            }
        };
        fails(kind, "the OCI registry answered " + status + " (" + code + ")", this::blob);
    }

    @Test
    void anUploadIsNotRedirected() {
        server.handler = exchange -> {
            if (isPut(exchange)) {
                exchange.getRequestBody().readAllBytes();
                answer(exchange, 307, "", "Location", other.elsewhere() + "/x");
            } else {
                takes(exchange);
            }
        };
        fails(Kind.INVALID, "answered 307", this::blob);
        server.handler = exchange -> {
            boolean head = exchange.getRequestMethod().equals("HEAD");
            answer(exchange, head ? 404 : 307, "", "Location", other.elsewhere() + "/x");
        };
        fails(Kind.INVALID, "answered 307", this::blob);
        assertThat(other.requests).isEmpty();
    }

    @Test
    void anExpiredTokenIsRenewedForThePut() throws Exception {
        AtomicInteger tokens = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        server.handler = exchange -> {
            String shown = exchange.getRequestHeaders().getFirst("Authorization");
            if (exchange.getRequestURI().getPath().equals("/token")) {
                answer(exchange, 200, "{\"token\": \"t" + tokens.incrementAndGet() + "\"}");
            } else if (shown == null || (refused.get() > 0 && shown.equals("Bearer t1"))) {
                challenge(exchange);
            } else if (isPut(exchange) && refused.getAndIncrement() == 0) {
                exchange.getRequestBody().readAllBytes();
                challenge(exchange);
            } else {
                takes(exchange);
            }
        };
        assertThat(blob()).isTrue();
        assertThat(server.logins.getLast()).isEqualTo("Bearer t2");
        assertThat(server.requests)
                .filteredOn(request -> request.startsWith("GET /token"))
                .allSatisfy(request -> assertThat(request).contains("scope=repository%3Aa%2Fb%3Apull%2Cpush"));
    }

    private void challenge(HttpExchange exchange) throws IOException {
        String realm = "Bearer realm=\"http://" + server.host() + "/token\",scope=\"repository:a/b:pull,push\"";
        answer(exchange, 401, "", "WWW-Authenticate", realm);
    }

    @ParameterizedTest
    @ValueSource(longs = {9, 11})
    void contentOfAnotherSizeIsNoFailureOfTheRegistry(long size) {
        fails(
                Kind.MISMATCH,
                "instead of " + size + " bytes",
                () -> push.blob(server.image(), BLOB, size, this::content));
        assertThat(opened).hasValue(1);
    }

    @Test
    void contentThatCannotBeReadIsNoFailureOfTheRegistry() {
        IOException broken = new IOException("a broken disk");
        Content unopened = () -> {
            throw broken;
        };
        assertThatThrownBy(() -> push.blob(server.image(), BLOB, 10, unopened)).isSameAs(broken);
        Content unread = () -> new FilterInputStream(content()) {
            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                throw broken;
            }
        };
        assertThatThrownBy(() -> push.blob(server.image(), BLOB, 10, unread)).isSameAs(broken);
        assertThat(opened).hasValue(1);
    }

    /** A host whose only connection is answered without, or before, a look at the body. */
    private ServerSocket rude(String answer) throws IOException {
        ServerSocket rude = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        location = "http://127.0.0.1:" + rude.getLocalPort() + "/up";
        Thread.ofVirtual().start(() -> {
            try (Socket socket = rude.accept()) {
                InputStream in = socket.getInputStream();
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) in.read());
                }
                OutputStream out = socket.getOutputStream();
                out.write(answer.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                over.await();
            } catch (IOException | InterruptedException e) {
                // The test is over.
                Thread.currentThread().interrupt();
            }
        });
        return rude;
    }

    private boolean large(int bytes) throws IOException {
        Content zeros = () -> {
            opened.incrementAndGet();
            return new ByteArrayInputStream(new byte[bytes]);
        };
        return push.blob(server.image(), BLOB, bytes, zeros);
    }

    @Test
    void aBodyThatIsRefusedBeforehandIsNotSent() throws Exception {
        try (ServerSocket _ = rude("HTTP/1.1 413 Large\r\nContent-Length: 0\r\n\r\n")) {
            fails(Kind.INVALID, "answered 413", () -> large(2 << 20));
        }
        assertThat(opened).hasValue(0);
    }

    /** A write is not interrupted; the test would wait for ever for the connection to be closed. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRegistryThatTakesNothingIsGivenUp() throws Exception {
        try (ServerSocket _ = rude("HTTP/1.1 100 Continue\r\n\r\n")) {
            fails(Kind.SLOW, "the registry took nothing for 300 ms", () -> large(64 << 20));
        }
        assertThat(opened).hasValue(1);
    }
}
