package io.faasimage.builder.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpServer;
import io.faasimage.linux.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real network namespace, and a server of the machine that it has no other way to; needs root. */
@SuppressWarnings("NullAway.Init")
class EgressProxyIT {
    private HttpServer server;
    private NetworkNamespace namespace;
    private String registry;

    @BeforeEach
    void begin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = (exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        registry = "127.0.0.1:" + server.getAddress().getPort();
        namespace = NetworkNamespace.create();
    }

    @AfterEach
    void end() {
        namespace.close();
        server.stop(0);
    }

    /** A connection of a process in the namespace. */
    private Socket connect(int a, int b, int c, int d, int port) throws IOException {
        InetAddress address = InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
        return namespace.inside(() -> new Socket(address, port));
    }

    private EgressProxy open(Map<String, String> environment, String... allowed) throws IOException {
        return EgressProxy.open(namespace, EgressRules.parse(List.of(allowed)), environment);
    }

    /** What a process in the namespace gets for {@code request}. */
    private String ask(String request) throws IOException {
        try (Socket socket = connect(127, 0, 0, 1, 3128)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String get(String url) throws IOException {
        return ask("GET " + url + " HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n\r\n");
    }

    @Test
    void whatIsListedIsReachedAndNothingElse() throws Exception {
        try (EgressProxy proxy = open(Map.of(), registry)) {
            assertThat(get("http://" + registry + "/simple/?a=b")).contains("200 OK", "GET /simple/?a=b");
            assertThat(ask("POST http://" + registry + "/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"))
                    .contains("POST / body");
            assertThat(ask("CONNECT " + registry + " HTTP/1.1\r\n\r\nGET /in HTTP/1.0\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 Connection established")
                    .contains("GET /in");
            assertThat(get("http://169.254.169.254/latest")).contains("403 Forbidden");
            assertThat(ask("CONNECT 127.0.0.1:22 HTTP/1.1\r\n\r\n")).contains("403 Forbidden");
            assertThat(proxy.refused()).containsExactly("127.0.0.1:22", "169.254.169.254:80");
            assertThatIOException()
                    .as("the machine's own loopback")
                    .isThrownBy(() -> connect(127, 0, 0, 1, server.getAddress().getPort()));
            assertThatIOException().as("another machine").isThrownBy(() -> connect(192, 0, 2, 1, 80));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET http://REGISTRY/ HTTP/1.1\r\nA: b\n\nGET http://169.254.169.254/ HTTP/1.1\r\n\r\n",
                "POST http://REGISTRY/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST http://REGISTRY/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET file:///etc/passwd HTTP/1.1\r\n\r\n",
                "CONNECT REGISTRY:99999 HTTP/1.1\r\n\r\n",
                "\u0001\u0002\r\n\r\n"
            })
    void whatIsAmbiguousIsRefused(String request) throws Exception {
        try (EgressProxy _ = open(Map.of(), registry)) {
            assertThat(ask(request.replace("REGISTRY", registry))).contains("400 Bad Request");
        }
    }

    @Test
    void aSecondRequestOfAConnectionGoesNowhere() throws Exception {
        try (EgressProxy proxy = open(Map.of(), registry)) {
            String request = "GET http://" + registry + "/first HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(ask(request + request.replace("first", "second")))
                    .contains("GET /first")
                    .doesNotContain("second");
            assertThat(proxy.refused()).isEmpty();
        }
    }

    @Test
    void theMachinesOwnProxyIsUsed() throws Exception {
        Map<String, String> environment = Map.of("http_proxy", "http://user:word@" + registry, "NO_PROXY", "other");
        try (EgressProxy _ = open(environment, "index.example.org")) {
            assertThat(get("http://index.example.org/simple")).contains("GET http://index.example.org:80/simple");
            assertThat(get("http://elsewhere.example.org/")).contains("403 Forbidden");
        }
    }
}
