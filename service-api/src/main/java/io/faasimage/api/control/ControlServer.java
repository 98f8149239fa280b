package io.faasimage.api.control;

import io.faasimage.api.rest.Json;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A server of commands on a unix-domain socket that only its owner may open. A request is one JSON line with a
 * {@code command}; the answer is any number of {@code {"event":...}} lines and then {@code {"result":...}} or
 * {@code {"error":"..."}}.
 */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ControlServer.class.getName());
    private static final int MAX_CONNECTIONS = 64;

    private final Path socket;
    private final ControlHandler handler;
    private final ServerSocketChannel listener;
    private final Semaphore connections;

    private ControlServer(Path socket, ControlHandler handler, ServerSocketChannel listener, int most) {
        this.socket = socket;
        this.handler = handler;
        this.listener = listener;
        this.connections = new Semaphore(most);
    }

    /**
     * Listens at {@code socket} and serves in the background.
     *
     * @throws IOException when another living process listens there, or the socket cannot be made
     */
    public static ControlServer start(Path socket, ControlHandler handler) throws IOException {
        return start(socket, handler, MAX_CONNECTIONS);
    }

    /** As above, serving at most {@code most} connections at a time; further ones wait. */
    public static ControlServer start(Path socket, ControlHandler handler, int most) throws IOException {
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
        ControlServer server = new ControlServer(socket, handler, listener, most);
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

    private Map<String, Object> answer(InputStream in, OutputStream out) {
        try {
            JsonNode request = Json.mapper().readTree(JsonLines.read(in));
            JsonNode command = request.path("command");
            if (!command.isString()) {
                return Map.of("error", "the request has no 'command'");
            }
            Optional<TraceParent> span =
                    TraceParent.parse(request.path(TraceParent.HEADER).asString(""));
            return Map.of(
                    "result",
                    CurrentSpan.<Object, IOException>call(
                            span, () -> handler.handle(command.asString(), request, eventsTo(out))));
        } catch (JacksonException e) {
            return Map.of("error", "not a JSON request: " + e.getOriginalMessage());
        } catch (IOException e) {
            return Map.of("error", message(e));
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a command failed", e);
            return Map.of("error", message(e));
        }
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private static Consumer<Object> eventsTo(OutputStream out) {
        return event -> {
            try {
                writeLine(out, Map.of("event", event));
            } catch (IOException | UncheckedIOException e) {
                LOG.log(Level.DEBUG, "the client no longer reads events", e);
            }
        };
    }

    private static void writeLine(OutputStream out, Object value) throws IOException {
        byte[] text = Json.mapper().writeValueAsBytes(value);
        byte[] line = java.util.Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
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
