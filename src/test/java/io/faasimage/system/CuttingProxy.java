package io.faasimage.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Passes bytes to a port of this machine, and resets connections after a number of bytes on request. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicLong limit = new AtomicLong(Long.MAX_VALUE);
    private final int target;

    CuttingProxy(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /**
     * Connections that send more bytes are reset; a browser tries again on a new one, so that one alone would not do.
     */
    void cutAfter(long bytes) {
        limit.set(bytes);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> connect(client));
            }
        } catch (IOException e) {
            // Closed: that is how it ends.
        }
    }

    private void connect(Socket client) {
        try {
            Socket service = new Socket(InetAddress.getLoopbackAddress(), target);
            Thread.ofVirtual().start(() -> pass(service, client, false));
            pass(client, service, true);
        } catch (IOException e) {
            // Nobody listens: the client gets the same reset.
            abort(client);
        }
    }

    private static void abort(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It has gone by itself.
        }
    }

    private void pass(Socket from, Socket to, boolean counted) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16_384];
            long passed = 0;
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                passed += n;
                if (counted && passed > limit.get()) {
                    from.setSoLinger(true, 0);
                    to.setSoLinger(true, 0);
                    return;
                }
                out.write(buffer, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            // One side has gone; the other follows.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
