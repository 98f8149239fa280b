package io.faasimage.api.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.faasimage.api.concurrent.Closing;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections to sockets that answer as each test needs. */
@Timeout(60)
final class ConnectionsTest {
    private static final String WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole";

    private final BlockingQueue<Socket> accepted = new ArrayBlockingQueue<>(10);
    private ServerSocket server;
    private Connections<URI> connections;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
        connections = connections(config("http", "127.0.0.1", server.getLocalPort()));
    }

    private static Connections<URI> connections(ServiceConfig config) {
        return Addresses.connections(config);
    }

    private static ServiceConfig config(String scheme, String host, int port) {
        URI base = URI.create(scheme + "://" + host + ":" + port);
        return ServiceConfig.of(base, Optional.empty()).withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    private void accept() {
        try {
            while (true) {
                accepted.add(server.accept());
            }
        } catch (IOException e) {
            // The test is over.
            return;
        }
    }

    @AfterEach
    void stop() throws IOException {
        connections.close();
        server.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    @Test
    void aConnectionWhoseAnswerWasReadToItsEndIsUsedAgain() throws Exception {
        Socket socket = exchange(WHOLE, true);
        answer(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nagain\r\n0\r\n\r\n");
        assertThat(text(connections.send(uri(), get(), true))).isEqualTo("again");
        answer(socket, "HTTP/1.1 204 No Content\r\n\r\n");
        assertThat(text(connections.send(uri(), get(), true))).isEmpty();
        answer(socket, WHOLE);
        assertThat(text(connections.send(uri(), get(), true))).isEqualTo("whole");
        assertThat(accepted).isEmpty();
    }

    @Test
    void aConnectionThatTheServerClosedIsReplaced() throws Exception {
        exchange(WHOLE, true).close();
        exchange(WHOLE, true).close();
        exchange(WHOLE, false);
    }

    @Test
    void aConnectionThatTheServerWillNotKeepIsNotUsedAgain() throws Exception {
        Socket first = exchange("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nwhole", true);
        assertThat(exchange(WHOLE, true)).isNotSameAs(first);
        assertThat(isClosed(first)).isTrue();
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void whatIsNotReadToItsEndIsCutOff() throws Exception {
        CompletableFuture<Connections.Answer> answer = sending(true);
        Socket socket = accepted.take();
        respond(socket, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwh");
        try (InputStream body = answer.get().body()) {
            assertThat(body.readNBytes(2)).asString(US_ASCII).isEqualTo("wh");
        }
        exchange(WHOLE, true);
        assertThat(isClosed(socket)).isTrue();
    }

    @Test
    void aBodyThatEndsEarlyIsAFailure() throws Exception {
        CompletableFuture<Connections.Answer> answer = sending(true);
        Socket socket = accepted.take();
        respond(socket, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwh");
        socket.close();
        InputStream body = answer.get().body();
        assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
    }

    @Test
    void closingABodyEndsTheReadThatWaits() throws Exception {
        closesUnderReader(InputStream::close);
    }

    @Test
    void closingAllEndsReadsThatWait() throws Exception {
        closesUnderReader(body -> connections.close());
        assertThatThrownBy(() -> connections.send(uri(), get(), true)).isInstanceOf(IOException.class);
    }

    /** Closes something. */
    private interface Closing {
        void close(InputStream body) throws IOException;
    }

    private void closesUnderReader(Closing closing) throws Exception {
        CompletableFuture<Connections.Answer> answer = sending(true);
        respond(accepted.take(), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwh");
        InputStream body = answer.get().body();
        assertThat(body.readNBytes(2)).hasSize(2);
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                read.complete(body.read(new byte[1], 0, 1));
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        Wait.until("the reader", () -> reader.getState() != Thread.State.NEW && isReading(reader));
        closing.close(body);
        assertThat(read).failsWithin(10, TimeUnit.SECONDS).withThrowableThat().withCauseInstanceOf(IOException.class);
    }

    private static boolean isReading(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("read0") || frame.getMethodName().equals("park")) {
                return true;
            }
        }
        return false;
    }

    @Test
    void whatComesUnaskedIsNotTheNextAnswer() throws Exception {
        Socket socket = exchange(WHOLE, false);
        socket.getOutputStream().write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
        exchange(WHOLE, false);
    }

    @Test
    void anAnswerThatComesInDropsIsNotWaitedForWithoutEnd() throws Exception {
        try (Connections<URI> hasty = hasty()) {
            CompletableFuture<Connections.Answer> answer = sending(hasty, get(), true);
            Socket socket = accepted.take();
            CompletableFuture<Void> drops = CompletableFuture.runAsync(() -> drip(socket));
            assertThat(answer)
                    .failsWithin(30, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(SocketTimeoutException.class);
            assertThat(drops).as("the connection is closed").succeedsWithin(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aRequestThatNobodyReadsIsGivenUp() throws Exception {
        try (Connections<URI> hasty = hasty()) {
            BasicClassicHttpRequest large = new BasicClassicHttpRequest("PUT", uri());
            large.setEntity(new ByteArrayEntity(new byte[64 << 20], ContentType.APPLICATION_OCTET_STREAM));
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> hasty.send(uri(), large, true));
        }
    }

    @Test
    void aBodyThatFallsSilentEndsByItself() throws Exception {
        ServiceConfig config =
                config("http", "127.0.0.1", server.getLocalPort()).withSilence(Duration.ofMillis(200));
        try (Connections<URI> impatient = connections(config)) {
            CompletableFuture<Connections.Answer> answer = sending(impatient, get(), true);
            respond(accepted.take(), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwh");
            assertThatThrownBy(answer.get().body()::readAllBytes).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aBodyThatDripsIsGivenUp() throws Exception {
        ServiceConfig config = config("http", "127.0.0.1", server.getLocalPort())
                .withRate(new MinimumRate(1000, Duration.ofMillis(200)));
        try (Connections<URI> demanding = connections(config)) {
            CompletableFuture<Connections.Answer> answer = sending(demanding, get(), true);
            Socket socket = accepted.take();
            respond(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            Thread.ofVirtual().start(() -> dripInto(socket));
            assertThatThrownBy(answer.get().body()::readAllBytes)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the minimum is 1000 bytes a second");
        }
    }

    @Test
    void aHandshakeThatDripsIsGivenUp() throws Exception {
        ServiceConfig config = config("https", "127.0.0.1", server.getLocalPort())
                .withTimeouts(Duration.ofMillis(200), Duration.ofSeconds(10));
        try (Connections<URI> hasty = connections(config)) {
            CompletableFuture<Connections.Answer> answer =
                    sending(hasty, new BasicClassicHttpRequest("GET", config.base()), true);
            Socket socket = accepted.take();
            socket.getOutputStream().write(new byte[] {0x16, 3, 3, 0x40, 0});
            Thread.ofVirtual().start(() -> dripInto(socket));
            assertThat(answer)
                    .failsWithin(30, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("TLS took longer than 400 ms");
        }
    }

    @Test
    void aBodyWithoutALengthEndsWithItsConnectionAndStaysEnded() throws Exception {
        CompletableFuture<Connections.Answer> answer = sending(connections, get(), true);
        Socket socket = accepted.take();
        respond(socket, "HTTP/1.0 200 OK\r\n\r\nwhole");
        socket.close();
        InputStream body = answer.get().body();
        assertThat(body.readAllBytes()).asString(US_ASCII).isEqualTo("whole");
        assertThat(body.read(new byte[1])).isNegative();
    }

    private Connections<URI> hasty() {
        return connections(config("http", "127.0.0.1", server.getLocalPort())
                .withTimeouts(Duration.ofSeconds(10), Duration.ofMillis(500)));
    }

    /** Until the other side closes. */
    private static void drip(Socket socket) {
        try {
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\nX-Slow: ".getBytes(US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        dripInto(socket);
    }

    private static void dripInto(Socket socket) {
        try {
            while (true) {
                socket.getOutputStream().write('a');
                Thread.sleep(20);
            }
        } catch (IOException e) {
            // It did.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anAnswerThatIsNotHttpIsSaidToBeNone() throws Exception {
        CompletableFuture<Connections.Answer> answer = sending(true);
        Socket socket = accepted.take();
        respond(socket, "SSH-2.0-OpenSSH\r\n".repeat(300));
        socket.close();
        assertThat(answer).failsWithin(10, TimeUnit.SECONDS).withThrowableThat().withCauseInstanceOf(IOException.class);
    }

    @Test
    void aCertificateIsOfThatHostAndTrusted(@TempDir Path directory) throws Exception {
        Path keys = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        "secret",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "a",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost")
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        SSLContext own = context(keys);
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(own));
        https.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 6);
            exchange.getResponseBody().write("secret".getBytes(US_ASCII));
            exchange.close();
        });
        https.start();
        SSLContext usual = SSLContext.getDefault();
        try {
            int port = https.getAddress().getPort();
            assertThatExceptionOfType(SSLException.class).isThrownBy(() -> over(port, "localhost"));
            SSLContext.setDefault(own);
            assertThat(over(port, "localhost")).isEqualTo("secret");
            assertThatExceptionOfType(SSLException.class).isThrownBy(() -> over(port, "127.0.0.1"));
        } finally {
            SSLContext.setDefault(usual);
            https.stop(0);
        }
    }

    private static SSLContext context(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, "secret".toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store, "secret".toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("a", store.getCertificate("a"));
        trusted.init(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static String over(int port, String host) throws IOException {
        try (Connections<URI> secure = connections(config("https", host, port))) {
            URI server = URI.create("https://" + host + ":" + port + "/");
            return text(secure.send(server, new BasicClassicHttpRequest("GET", server), true));
        }
    }

    /** One request over a new connection, and its answer. */
    private Socket exchange(String response, boolean repeatable) throws Exception {
        CompletableFuture<Connections.Answer> answer = sending(repeatable);
        Socket socket = accepted.take();
        respond(socket, response);
        assertThat(text(answer.get())).isEqualTo("whole");
        return socket;
    }

    private CompletableFuture<Connections.Answer> sending(boolean repeatable) {
        return sending(connections, get(), repeatable);
    }

    private static CompletableFuture<Connections.Answer> sending(
            Connections<URI> over, ClassicHttpRequest request, boolean repeatable) {
        CompletableFuture<Connections.Answer> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(over.send(request.getUri(), request, repeatable));
            } catch (IOException | URISyntaxException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private void answer(Socket socket, String response) {
        Thread.ofVirtual().start(() -> {
            try {
                respond(socket, response);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void respond(Socket socket, String response) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = socket.getInputStream().read();
            if (read < 0) {
                return;
            }
            head.append((char) read);
        }
        socket.getOutputStream().write(response.getBytes(US_ASCII));
        socket.getOutputStream().flush();
    }

    private ClassicHttpRequest get() {
        return new BasicClassicHttpRequest("GET", uri());
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    private static String text(Connections.Answer answer) throws IOException {
        try (InputStream body = answer.body()) {
            return new String(body.readAllBytes(), US_ASCII);
        }
    }
}
