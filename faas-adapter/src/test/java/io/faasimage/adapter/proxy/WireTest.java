package io.faasimage.adapter.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes that the proxy changes on the wire, and those that it must not change. */
@SuppressWarnings("StringConcatToTextBlock") // Messages on the wire are lines that end with CR and LF.
class WireTest {
    private WiredProxy proxied;

    @BeforeEach
    void start() throws IOException {
        proxied = new WiredProxy();
    }

    @AfterEach
    void stop() throws IOException {
        proxied.close();
    }

    @Test
    void pathQueryAndHeaderBytesGoThroughAsTheyAre() throws IOException {
        try (Wire client = proxied.client()) {
            client.send(
                    "PATCH /function/f%2Fg/../é;a?x=%zz&y=ü+%20[] HTTP/1.1\r\nHost: gw:8080\r\nX-Ümlaut-Value: grün €\r\n"
                                    .replace("X-Ümlaut-Value", "X-Bytes")
                                    .replace("€", "\u00ff\u0080")
                            + "x-CaSe: Kept\r\nx-request-id: the-callers.1\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                String head = provider.readHead();
                assertThat(head)
                        .isEqualTo("PATCH /function/f%2Fg/../é;a?x=%zz&y=ü+%20[] HTTP/1.1\r\nHost: gw:8080\r\n"
                                + "X-Bytes: grün \u00ff\u0080\r\nx-CaSe: Kept\r\nx-request-id: the-callers.1\r\n\r\n");
                String answer =
                        "HTTP/1.1 299 Grün\r\nX-A: \u00e9\u00ff\r\nx-b: 1\r\nx-b: 2\r\nContent-Length: 2\r\n\r\n";
                provider.send(answer + "ok");
                assertThat(client.readHead()).isEqualTo(answer);
                assertThat(client.read(2)).isEqualTo("ok");
            }
        }
    }

    @Test
    void headersOfOneConnectionStayOnIt() throws IOException {
        try (Wire client = proxied.client()) {
            client.send(
                    "GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\n"
                            + "Proxy-Connection: x\r\nTE: gzip, trailers\r\nUpgrade: h2c\r\nX-End: 1\r\nX-Request-Id: i\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                assertThat(provider.readHead())
                        .isEqualTo("GET / HTTP/1.1\r\nHost: h\r\nX-End: 1\r\nX-Request-Id: i\r\nTe: trailers\r\n\r\n");
                provider.send(
                        "HTTP/1.1 200 OK\r\nConnection: X-B\r\nX-B: 1\r\nKeep-Alive: 9\r\nContent-Length: 0\r\n\r\n");
                assertThat(client.readHead()).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        }
    }

    @Test
    void aRequestWithoutANameGetsOneAndTheCallersNameStaysAsItIs() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                assertThat(provider.readHead()).containsPattern("\r\nX-Request-Id: [0-9a-f]{16}\r\n");
                provider.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                client.readHead();
                client.send("GET /2 HTTP/1.1\r\nHost: h\r\nX-Request-Id: Root=1-67/a+b==\r\n\r\n");
                assertThat(provider.readHead()).contains("\r\nX-Request-Id: Root=1-67/a+b==\r\n");
            }
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrderOnOneConnection() throws IOException {
        try (Wire client = proxied.client()) {
            client.send(
                    "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: h\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                assertThat(provider.readHead()).startsWith("POST /1 ");
                assertThat(provider.read(3)).isEqualTo("abc");
                provider.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
                assertThat(provider.readHead()).startsWith("GET /2 ");
                provider.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2");
                assertThat(client.readHead()).startsWith("HTTP/1.1 200");
                assertThat(client.read(1)).isEqualTo("1");
                client.readHead();
                assertThat(client.read(1)).isEqualTo("2");
            }
        }
    }

    @Test
    void theAnswerToHeadHasALengthAndNoBodyAndTheConnectionGoesOn() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("HEAD /function/f HTTP/1.1\r\nHost: h\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                provider.readHead();
                provider.send("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n");
                assertThat(client.readHead()).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n");
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(provider.readHead()).startsWith("GET /");
            }
        }
    }

    @Test
    void aClientThatWaitsForContinueGetsIt() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("POST /f HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                assertThat(provider.readHead()).contains("Expect: 100-continue");
                provider.send("HTTP/1.1 100 Continue\r\n\r\n");
                assertThat(client.readHead()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
                client.send("body");
                assertThat(provider.read(4)).isEqualTo("body");
                provider.send("HTTP/1.1 204 No Content\r\n\r\n");
                assertThat(client.readHead()).isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
            }
        }
    }

    @Test
    void aWebSocketIsOpenedAndCarriesBytesBothWays() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("GET /function/ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Key: k\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                assertThat(provider.readHead()).contains("Upgrade: websocket").contains("onnection: Upgrade");
                provider.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Accept: a\r\n\r\n\u0081\u0001x");
                assertThat(client.readHead()).contains(" 101 ").containsIgnoringCase("upgrade: websocket");
                assertThat(client.read(3)).isEqualTo("\u0081\u0001x");
                client.send("\u0081\u0083mask???");
                assertThat(provider.read(9)).isEqualTo("\u0081\u0083mask???");
                provider.send("GET not HTTP any more\r\n\r\n");
                assertThat(client.read(25)).isEqualTo("GET not HTTP any more\r\n\r\n");
            }
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void aClientOfHttp10GetsAPlainBodyThatEndsWithTheConnection() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("GET /f HTTP/1.0\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                assertThat(provider.readHead()).contains(" HTTP/1.1\r\n").containsIgnoringCase("host: 127.0.0.1:");
                provider.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
                assertThat(client.readToEnd()).isEqualTo("HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nabc");
            }
        }
    }

    @Test
    void aBodyThatTheProviderEndsByClosingIsMadeOfChunks() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("GET /f HTTP/1.1\r\nHost: h\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                provider.readHead();
                provider.send("HTTP/1.0 200 OK\r\n\r\nabc");
            }
            assertThat(client.readHead()).isEqualTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(client.readTo("0\r\n\r\n")).isEqualTo("3\r\nabc\r\n0\r\n\r\n");
        }
    }

    @Test
    void trailersAreKept() throws IOException {
        try (Wire client = proxied.client()) {
            client.send("GET /f HTTP/1.1\r\nHost: h\r\n\r\n");
            try (Wire provider = proxied.accept()) {
                provider.readHead();
                provider.send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n");
                client.readHead();
                assertThat(client.readHead()).endsWith("0\r\nX-Sum: 7\r\n\r\n");
            }
        }
    }
}
