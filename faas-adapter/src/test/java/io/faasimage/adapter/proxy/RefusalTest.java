package io.faasimage.adapter.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxy's own answers. */
@SuppressWarnings("StringConcatToTextBlock") // Messages on the wire are lines that end with CR and LF.
class RefusalTest {
    @Test
    void aProviderThatIsDownGivesBadGatewayAsProvidersGiveErrorsAndServesAgainWhenItIsBack() throws IOException {
        WiredProxy proxied = new WiredProxy();
        int port = proxied.provider.getLocalPort();
        proxied.provider.close();
        try (Wire client = proxied.client()) {
            client.send("POST /system/functions HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}");
            assertThat(client.readToEnd())
                    .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                    .containsIgnoringCase("content-type: text/plain; charset=utf-8\r\n")
                    .containsIgnoringCase("X-Content-Type-Options: nosniff\r\n")
                    .contains("\r\n\r\nCan't reach the provider at 127.0.0.1:" + port + ": ")
                    .endsWith("\n");
        }
        assertThat(proxied.failures).hasSize(1);
        try (ServerSocket back = new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
                Wire client = proxied.client().send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
                Wire provider = new Wire(back.accept())) {
            assertThat(provider.readHead()).startsWith("GET / ");
        }
        proxied.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense                                                       | 400
            GET / HTTP/1.1%nHost: h%nContent-Length: x                     | 400
            GET / HTTP/1.1%nHost: h%nContent-Length: 1%nContent-Length: 2  | 400
            GET / HTTP/1.1%nBad Header: 1                                  | 400
            POST / HTTP/1.1%nContent-Length: 4%nTransfer-Encoding: chunked | 400
            CONNECT h:1 HTTP/1.1%nHost: h                                  | 405
            GET /LONG HTTP/1.1%nHost: h                                    | 414
            GET / HTTP/1.1%nX: LONG%nY: LONG%nZ: LONG                      | 431
            """)
    void malformedRequestsAreRefusedAndNeverReachTheProvider(String request, int status) throws IOException {
        try (WiredProxy proxied = new WiredProxy();
                Wire client = proxied.client()) {
            client.send(request.replace("%n", "\r\n").replace("LONG", "x".repeat(100_000)) + "\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 " + status + " ");
            proxied.provider.setSoTimeout(1);
            assertThat(accepted(proxied)).isFalse();
        }
    }

    private static boolean accepted(WiredProxy proxied) throws IOException {
        try (Wire provider = proxied.accept()) {
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void aBrokenChunkIsRefusedAndTheProviderSeesNoWholeBody() throws IOException {
        try (WiredProxy proxied = new WiredProxy();
                Wire client = proxied.client()) {
            client.send("POST /f HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            try (Wire provider = proxied.accept()) {
                provider.readHead();
                assertThat(provider.readTo("abc\r\n")).isEqualTo("3\r\nabc\r\n");
                client.send("zz\r\n");
                assertThat(client.readHead()).startsWith("HTTP/1.1 400 ");
                assertThat(provider.readToEnd()).isEmpty();
            }
        }
    }

    @Test
    void aHeadThatNeverEndsIsGivenUpThoughBytesCome() throws IOException {
        ProxyConfig usual = WiredProxy.config(1, Duration.ofMinutes(1));
        ProxyConfig strict = new ProxyConfig(
                usual.listen(),
                usual.provider(),
                1,
                1,
                usual.connectTimeout(),
                Duration.ofSeconds(1),
                usual.exchangeIdle(),
                usual.drain());
        try (ProxyServer proxy = new ProxyServer(strict, (m, u, a) -> Optional.empty(), new Silent());
                Wire client = Wire.connect(proxy.address().getPort())) {
            client.send("GET / HTTP/1.1\r\nHost: ");
            Wait.until("the proxy to hang up", () -> {
                try {
                    client.send("h");
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
        }
    }

    @Test
    void connectionsAboveTheLimitAreToldSo() throws IOException {
        ProxyConfig usual = WiredProxy.config(1, Duration.ofMinutes(1));
        ProxyConfig one = new ProxyConfig(
                usual.listen(),
                usual.provider(),
                1,
                1,
                usual.connectTimeout(),
                usual.clientIdle(),
                usual.exchangeIdle(),
                usual.drain());
        try (ProxyServer proxy = new ProxyServer(one, (m, u, a) -> Optional.empty(), new Silent());
                Wire first = Wire.connect(proxy.address().getPort())) {
            first.send("GET / HTTP/1.1\r\nHost: h\r\n");
            Wait.until("the first", () -> proxy.counts().clients() == 1);
            try (Wire second = Wire.connect(proxy.address().getPort())) {
                assertThat(second.readToEnd()).startsWith("HTTP/1.1 503 ").contains("serves 1 connections already");
            }
        }
    }

    private static final class Silent implements ExchangeMeters {
        @Override
        public void ended(String method, String uri, int status, long nanos) {}

        @Override
        public void providerFailed(String reason) {}
    }
}
