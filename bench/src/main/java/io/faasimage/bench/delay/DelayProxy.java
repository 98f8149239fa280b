package io.faasimage.bench.delay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/**
 * A TCP proxy that delays each byte by half a round-trip time in either direction, without limiting bandwidth. As the
 * proxy itself accepts the connection at once, a client's first bytes wait a whole round trip more, which the handshake
 * would have taken.
 *
 * <p>Each connection has four virtual threads and at most 64 MB on its way.
 */
public final class DelayProxy implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final Duration roundTrip;

    /**
     * A proxy that accepts connections from now on.
     *
     * @param listen address; port 0 chooses one
     * @param target address to which connections are forwarded
     * @param roundTrip time that is added
     */
    public DelayProxy(InetSocketAddress listen, InetSocketAddress target, Duration roundTrip) throws IOException {
        this.target = target;
        this.roundTrip = roundTrip;
        server = new ServerSocket();
        server.bind(listen);
        Thread.ofVirtual().name("accept").start(this::accept);
    }

    /** The port that it listens at. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().name("connection").start(() -> serve(client));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    System.err.println("delay: could not accept a connection: " + e.getMessage());
                }
            }
        }
    }

    private void serve(Socket client) {
        long accepted = System.nanoTime();
        Duration oneWay = roundTrip.dividedBy(2);
        try (client;
                Socket server = new Socket()) {
            server.connect(target);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            long firstByte = accepted + roundTrip.plus(oneWay).toNanos();
            Thread up = pass(client, server, oneWay, firstByte);
            Thread down = pass(server, client, oneWay, accepted);
            up.join();
            down.join();
        } catch (IOException e) {
            System.err.println("delay: could not pass a connection on to " + target + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Forwards one direction to its end, in threads of its own; the result writes. */
    private static Thread pass(Socket from, Socket to, Duration delay, long earliest) throws IOException {
        DelayedStream stream = new DelayedStream(from.getInputStream(), to.getOutputStream(), delay);
        Thread.ofVirtual().start(() -> ended(from, () -> stream.read(earliest)));
        return Thread.ofVirtual().start(() -> {
            ended(to, stream::write);
            ended(to, to::shutdownOutput);
        });
    }

    /** One step of the forwarding. */
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Runs {@code step}; a broken connection is an end like another, and closing the socket notifies the other side.
     */
    private static void ended(Socket socket, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            close(socket);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.err.println("delay: could not close a connection: " + e.getMessage());
        }
    }

    /** Accepts no more connections; open ones continue. */
    @Override
    public void close() throws IOException {
        server.close();
    }
}
