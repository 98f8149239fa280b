package io.faasimage.api.control;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A client of a {@link ControlServer}'s operations; one connection per request. Blocking. */
public final class ControlClient {
    private final Path socket;

    /** A client of the process that listens at {@code socket}. */
    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /**
     * Sends one request and waits for its result.
     *
     * @param events takes the progress events
     * @throws ControlException when the process answered with an error
     * @throws ConnectException when it cannot be reached
     * @throws IOException when the connection breaks
     */
    public <Q, E, R> R call(Operation<Q, E, R> operation, Q request, Consumer<? super E> events) throws IOException {
        byte[] line = JsonLines.object(out -> {
            operation.request().writeFields(request, out);
            out.writeStringProperty("command", operation.name());
        });
        try (SocketChannel channel = connect()) {
            OutputStream out = Channels.newOutputStream(channel);
            out.write(line);
            out.flush();
            return readResult(operation, new BufferedInputStream(Channels.newInputStream(channel)), events);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IOException("the answer from " + socket + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Sends one request and waits for its result, ignoring events. */
    public <Q, E, R> R call(Operation<Q, E, R> operation, Q request) throws IOException {
        return call(operation, request, event -> {});
    }

    /** Sends one request without arguments, ignoring events. */
    public <E, R> R call(Operation<Empty, E, R> operation) throws IOException {
        return call(operation, new Empty());
    }

    private SocketChannel connect() throws IOException {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            ConnectException nobody = new ConnectException(
                    "no answer at " + socket + " (" + e.getMessage() + "); is the process running, and are you root?");
            nobody.initCause(e);
            throw nobody;
        }
    }

    private static <E, R> R readResult(Operation<?, E, R> operation, InputStream in, Consumer<? super E> events)
            throws IOException {
        while (true) {
            Optional<R> result = readLine(operation, JsonLines.read(in), events);
            if (result.isPresent()) {
                return result.get();
            }
        }
    }

    /** The result; empty when the line is an event. */
    private static <E, R> Optional<R> readLine(Operation<?, E, R> operation, byte[] line, Consumer<? super E> events)
            throws IOException {
        try (JsonParser in = JsonLines.parse(line)) {
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = in.currentName();
                in.nextToken();
                switch (name) {
                    case "event" -> {
                        events.accept(operation.event().read(in));
                        return Optional.empty();
                    }
                    case "result" -> {
                        return Optional.of(operation.result().read(in));
                    }
                    case "error" -> throw new ControlException(in.getValueAsString(""));
                    default -> in.skipChildren();
                }
            }
        }
        throw new IOException("an answer from the control socket is neither an event nor an error nor a result");
    }
}
