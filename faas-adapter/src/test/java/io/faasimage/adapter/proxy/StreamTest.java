package io.faasimage.adapter.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies that stream, and ends of connections with their effect on the other side. */
@SuppressWarnings("StringConcatToTextBlock") // Messages on the wire are lines that end with CR and LF.
class StreamTest {
    private static final String GET = "GET /system/logs?name=f&follow=1 HTTP/1.1\r\nHost: h\r\nX-Request-Id: i\r\n\r\n";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

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
    void eachLineOfALogArrivesBeforeTheNextIsWritten() throws IOException {
        try (Wire client = proxied.client().send(GET);
                Wire provider = proxied.accept()) {
            provider.readHead();
            provider.send(CHUNKED);
            client.readHead();
            for (int i = 0; i < 20; i++) {
                provider.send("3\r\n" + (10 + i) + "\n\r\n");
                assertThat(client.read(8)).isEqualTo("3\r\n" + (10 + i) + "\n\r\n");
            }
        }
    }

    @Test
    void bothDirectionsStreamAtOnce() throws IOException {
        try (Wire client = proxied.client().send("POST /f HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
                Wire provider = proxied.accept()) {
            provider.readHead();
            provider.send(CHUNKED);
            client.readHead();
            for (int i = 0; i < 5; i++) {
                client.send("1\r\n" + i + "\r\n");
                assertThat(provider.read(6)).isEqualTo("1\r\n" + i + "\r\n");
                provider.send("1\r\n" + i + "\r\n");
                assertThat(client.read(6)).isEqualTo("1\r\n" + i + "\r\n");
            }
            client.send("0\r\n\r\n");
            assertThat(provider.read(5)).isEqualTo("0\r\n\r\n");
            provider.send("0\r\n\r\n");
            assertThat(client.read(5)).isEqualTo("0\r\n\r\n");
        }
    }

    @Test
    void aClientThatLeavesEndsTheRequestAtTheProvider() throws IOException {
        Wire client = proxied.client().send(GET);
        try (Wire provider = proxied.accept()) {
            provider.readHead();
            provider.send(CHUNKED + "1\r\na\r\n");
            client.readHead();
            client.close();
            assertThat(provider.socket.getInputStream().read()).isEqualTo(-1);
        }
        Wait.until("the exchange to end", () -> proxied.proxy.counts().exchanges() == 0);
    }

    @Test
    void aClientThatLeavesBeforeTheAnswerEndsTheRequestToo() throws IOException {
        Wire client = proxied.client().send(GET);
        try (Wire provider = proxied.accept()) {
            provider.readHead();
            client.close();
            assertThat(provider.socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void anAnswerThatBreaksOffIsNotTakenForAWholeOne() throws IOException {
        try (Wire client = proxied.client().send(GET)) {
            try (Wire provider = proxied.accept()) {
                provider.readHead();
                provider.send(CHUNKED + "5\r\nabc");
            }
            client.readHead();
            assertThat(client.readToEnd()).doesNotEndWith("0\r\n\r\n");
        }
        assertThat(proxied.failures).hasSize(1);
    }

    @Test
    void aProviderThatResetsDoesNotMakeAWholeAnswerOfOneThatEndsByClosing() throws IOException {
        try (Wire client = proxied.client().send(GET)) {
            try (Wire provider = proxied.accept()) {
                provider.readHead();
                provider.send("HTTP/1.1 200 OK\r\n\r\nabc");
                assertThat(client.readTo("abc\r\n")).contains("chunked");
                provider.socket.setSoLinger(true, 0);
            }
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void anAnswerBeforeTheBodyIsCompleteArrivesAndEndsTheConnection() throws IOException {
        try (Wire client = proxied.client().send("POST /f HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc");
                Wire provider = proxied.accept()) {
            provider.readHead();
            provider.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
            assertThat(client.readHead()).startsWith("HTTP/1.1 413 ");
            assertThat(client.readToEnd()).isEqualTo("no");
            assertThat(provider.readToEnd()).isEqualTo("abc");
        }
    }

    @Test
    void aClientThatDoesNotReadHoldsTheProviderBack() throws Exception {
        try (Wire client = proxied.client().send(GET);
                Wire provider = proxied.accept()) {
            provider.readHead();
            AtomicLong written = new AtomicLong();
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    OutputStream out = provider.socket.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
                    byte[] piece = new byte[64 * 1024];
                    while (true) {
                        out.write(piece);
                        written.addAndGet(piece.length);
                    }
                } catch (IOException e) {
                    // The end of the test.
                }
            });
            Wait.until("the provider to be held back", () -> {
                long before = written.get();
                return before > 0 && !advances(written, before);
            });
            assertThat(written.get()).isLessThan(64L << 20);
            client.close();
            writer.join(Duration.ofSeconds(10));
            assertThat(writer.isAlive()).isFalse();
        }
    }

    private static boolean advances(AtomicLong written, long before) {
        for (int i = 0; i < 100; i++) {
            if (written.get() != before) {
                return true;
            }
            LockSupport.parkNanos(2_000_000);
        }
        return false;
    }

    @Test
    void aSilentExchangeEndsAtItsLimit() throws IOException {
        try (WiredProxy strict = new WiredProxy(Duration.ofSeconds(1));
                Wire client = strict.client().send(GET);
                Wire provider = strict.accept()) {
            provider.readHead();
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 502 ").contains("nothing arrived for PT1S");
        }
    }

    @Test
    void aRequestThatAKeptConnectionLosesIsRepeatedOnANewOneOnlyWhenThatIsSafe() throws IOException {
        try (Wire client = proxied.client()) {
            for (String request : new String[] {GET, "POST /f HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"}) {
                client.send(GET);
                try (Wire provider = proxied.accept()) {
                    provider.readHead();
                    provider.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                    client.readHead();
                    client.send(request);
                    provider.readHead();
                }
                if (request.equals(GET)) {
                    try (Wire provider = proxied.accept()) {
                        assertThat(provider.readHead()).isEqualTo(GET);
                        provider.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                        assertThat(client.readHead()).startsWith("HTTP/1.1 200");
                    }
                } else {
                    assertThat(client.readHead()).startsWith("HTTP/1.1 502");
                }
            }
        }
    }
}
