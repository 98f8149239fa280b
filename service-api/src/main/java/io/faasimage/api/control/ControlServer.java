package io.faasimage.api.control;

import io.faasimage.api.control.codec.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * A server of operations on a unix-domain socket that only its owner may open. A request is one JSON line with a
 * {@code command}; the answer is any number of {@code {"event":...}} lines and then {@code {"result":...}} or
 * {@code {"error":"..."}}.
 */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ControlServer.class.getName());
    private static final int MAX_CONNECTIONS = 64;

    private final Path socket;
    private final ControlHandlers handlers;
    private final ServerSocketChannel listener;
    private final Semaphore connections;

    private ControlServer(Path socket, ControlHandlers handlers, ServerSocketChannel listener, int most) {
        this.socket = socket;
        this.handlers = handlers;
        this.listener = listener;
        this.connections = new Semaphore(most);
    }

    /**
     * Listens at {@code socket} and serves in the background.
     *
     * @throws IOException when another living process listens there, or the socket cannot be made
     */
    public static ControlServer start(Path socket, ControlHandlers handlers) throws IOException {
        return start(socket, handlers, MAX_CONNECTIONS);
    }

    /** Listens and serves at most {@code most} connections at a time; further ones wait. */
    public static ControlServer start(Path socket, ControlHandlers handlers, int most) throws IOException {
        if (isServed(socket)) {
            throw new IOException("another process already listens at " + socket + "; stop it first");
        }
        Files.deleteIfExists(socket);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(socket), most);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        ControlServer server = new ControlServer(socket, handlers, listener, most);
        Thread.ofPlatform().name("control-" + socket.getFileName()).daemon().start(server::accept);
        return server;
    }

    /** Whether a living process accepts connections at {@code socket}. */
    public static boolean isServed(Path socket) {
        if (!Files.exists(socket)) {
            return false;
        }
        try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                connections.acquire();
                SocketChannel client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                connections.release();
                LOG.log(Level.WARNING, "could not accept at " + socket, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            InputStream in = Channels.newInputStream(client);
            OutputStream out = Channels.newOutputStream(client);
            writeLine(out, answer(in, out));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a client of " + socket + " disconnected", e);
        } finally {
            connections.release();
        }
    }

    private byte[] answer(InputStream in, OutputStream out) {
        try {
            byte[] line = JsonLines.read(in);
            JsonFields request = fields(line);
            Optional<String> command = request.text("command");
            if (command.isEmpty()) {
                return error("the request has no 'command'");
            }
            return handlers.answer(command.get(), line, eventsTo(out));
        } catch (JacksonException e) {
            return error("not a JSON request: " + e.getOriginalMessage());
        } catch (IOException e) {
            return error(message(e));
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a command failed", e);
            return error(message(e));
        }
    }

    private static JsonFields fields(byte[] line) {
        try (JsonParser in = JsonLines.parse(line)) {
            return JsonFields.read(in);
        }
    }

    private static byte[] error(String message) {
        return JsonLines.object(out -> out.writeStringProperty("error", message));
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private static Consumer<byte[]> eventsTo(OutputStream out) {
        return event -> {
            try {
                writeLine(out, event);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the client no longer reads events", e);
            }
        };
    }

    private static void writeLine(OutputStream out, byte[] line) throws IOException {
        synchronized (out) {
            out.write(line);
            out.flush();
        }
    }

    /** Stops listening and removes the socket; commands under way continue. */
    @Override
    public void close() throws IOException {
        listener.close();
        Files.deleteIfExists(socket);
    }
}
