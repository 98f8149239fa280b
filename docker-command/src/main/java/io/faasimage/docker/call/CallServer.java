package io.faasimage.docker.call;

import io.faasimage.api.control.ControlServer;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Serves commands on a unix-domain socket that only its owner may open; a bounded number at a time, further ones wait.
 */
public final class CallServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(CallServer.class.getName());
    private static final int MOST_CALLS = 64;

    private final Path socket;
    private final CallHandler handler;
    private final ServerSocketChannel listener;
    private final Semaphore calls = new Semaphore(MOST_CALLS);

    private CallServer(Path socket, CallHandler handler, ServerSocketChannel listener) {
        this.socket = socket;
        this.handler = handler;
        this.listener = listener;
    }

    /**
     * Listens at {@code socket} and serves in the background.
     *
     * @throws IOException when another living process listens there, or the socket cannot be made
     */
    public static CallServer start(Path socket, CallHandler handler) throws IOException {
        if (ControlServer.isServed(socket)) {
            throw new IOException("another process already listens at " + socket + "; stop it first");
        }
        Files.deleteIfExists(socket);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(socket), 4 * MOST_CALLS);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        CallServer server = new CallServer(socket, handler, listener);
        Thread.ofPlatform().name("calls").daemon().start(server::accept);
        return server;
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                calls.acquire();
                SocketChannel client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                calls.release();
                LOG.log(Level.WARNING, "could not accept at " + socket, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(client)));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(client)));
            List<String> arguments = Frames.readRequest(in).stream()
                    .map(argument -> new String(argument, StandardCharsets.UTF_8))
                    .toList();
            int exit = handler.handle(arguments, new Connected(out));
            Frames.write(out, Frames.EXIT, ByteBuffer.allocate(4).putInt(exit).array(), 4);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a command went away", e);
        } finally {
            calls.release();
        }
    }

    private record Connected(DataOutputStream stream) implements Call {
        @Override
        public void out(byte[] bytes, int length) throws IOException {
            send(Frames.OUT, bytes, length);
        }

        @Override
        public void err(byte[] bytes, int length) throws IOException {
            send(Frames.ERR, bytes, length);
        }

        private void send(int kind, byte[] bytes, int length) throws IOException {
            synchronized (stream) {
                Frames.write(stream, kind, bytes, length);
            }
        }
    }

    /** Stops listening and removes the socket; commands under way go on. */
    @Override
    public void close() throws IOException {
        listener.close();
        Files.deleteIfExists(socket);
    }
}
