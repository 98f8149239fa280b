package io.faasimage.bench.delay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections through the proxy to a server that echoes. */
@Timeout(60)
final class DelayProxyTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private ServerSocket echo;

    @BeforeEach
    void startTheServer() throws IOException {
        echo = new ServerSocket();
        echo.bind(ANY_PORT);
        Thread.ofVirtual().start(() -> {
            while (!echo.isClosed()) {
                try (Socket socket = echo.accept()) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                } catch (IOException e) {
                    // The client's or the test's end.
                    assertThat(e).isInstanceOf(SocketException.class);
                }
            }
        });
    }

    @AfterEach
    void stopTheServer() throws IOException {
        echo.close();
    }

    private DelayProxy proxy(Duration roundTrip) throws IOException {
        return new DelayProxy(
                ANY_PORT, new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()), roundTrip);
    }

    private static Socket connect(DelayProxy proxy) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private static Duration ask(Socket socket) throws IOException {
        long begin = System.nanoTime();
        socket.getOutputStream().write(1);
        assertThat(socket.getInputStream().read()).isEqualTo(1);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Test
    void aQuestionTakesARoundTripAndTheFirstOneTwo() throws Exception {
        Duration roundTrip = Duration.ofMillis(120);
        try (DelayProxy proxy = proxy(roundTrip);
                Socket socket = connect(proxy)) {
            // The first waits for the handshake, too, which began before connect came back.
            assertThat(ask(socket)).isGreaterThan(Duration.ofMillis(200));
            assertThat(ask(socket)).isGreaterThanOrEqualTo(roundTrip);
        }
    }

    @Test
    void everythingArrivesInOrderAlsoMoreThanMayBeOnTheWay() throws Exception {
        byte[] sent = new byte[80 << 20];
        new Random(1).nextBytes(sent);
        try (DelayProxy proxy = proxy(Duration.ofMillis(10));
                Socket socket = connect(proxy);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            OutputStream out = socket.getOutputStream();
            var writing = threads.submit(() -> {
                out.write(sent);
                socket.shutdownOutput();
                return true;
            });
            InputStream in = socket.getInputStream();
            byte[] received = in.readAllBytes();
            assertThat(received).isEqualTo(sent);
            assertThat(writing.get()).isTrue();
        }
    }

    @Test
    void theEndOfOneSideReachesTheOther() throws Exception {
        try (DelayProxy proxy = proxy(Duration.ZERO);
                Socket socket = connect(proxy)) {
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }
}
