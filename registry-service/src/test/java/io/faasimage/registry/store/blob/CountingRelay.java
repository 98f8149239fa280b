package io.faasimage.registry.store.blob;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay of connections to a server, which counts them and the requests. */
final class CountingRelay implements AutoCloseable {
    private static final byte[] REQUEST_LINE_END = " HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final URI server;

    CountingRelay(URI server) throws IOException {
        this.server = server;
        Thread.ofVirtual().start(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    /** The number of requests passed on; one whose body has the end of a request line in it counts as more. */
    int requests() {
        return requests.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                connections.incrementAndGet();
                Socket target = new Socket();
                target.connect(new InetSocketAddress(server.getHost(), server.getPort()));
                Thread.ofVirtual().start(() -> pass(client, target));
                Thread.ofVirtual().start(() -> pass(target, client));
            }
        } catch (IOException e) {
            assert listener.isClosed() : e;
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            byte[] buffer = new byte[16 * 1024];
            int matched = 0;
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                for (int i = 0; i < n; i++) {
                    matched = buffer[i] == REQUEST_LINE_END[matched] ? matched + 1 : buffer[i] == ' ' ? 1 : 0;
                    if (matched == REQUEST_LINE_END.length) {
                        requests.incrementAndGet();
                        matched = 0;
                    }
                }
                to.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One of them is gone, so the other goes, too.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
