package io.faasimage.registry.blob;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes connections on to a server, and counts them. */
final class CountingRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
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

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
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
