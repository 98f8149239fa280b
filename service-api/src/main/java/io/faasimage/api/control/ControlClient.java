package io.faasimage.api.control;

import io.faasimage.api.rest.Json;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A client of a {@link ControlServer}; one connection per command. Blocking. */
public final class ControlClient {
    private final Path socket;

    /** A client of the process that listens at {@code socket}. */
    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /**
     * Sends one command and waits for its result.
     *
     * @param command name
     * @param arguments further fields of the request
     * @param events takes the progress events
     * @throws ControlException when the process answered with an error
     * @throws ConnectException when it cannot be reached
     * @throws IOException when the connection breaks
     */
    public JsonNode call(String command, Map<String, ?> arguments, Consumer<JsonNode> events) throws IOException {
        Map<String, Object> request = new LinkedHashMap<>(arguments);
        request.put("command", command);
        CurrentSpan.get().ifPresent(span -> request.put(TraceParent.HEADER, span.toString()));
        try (SocketChannel channel = connect()) {
            OutputStream out = Channels.newOutputStream(channel);
            out.write((Json.mapper().writeValueAsString(request) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            return readResult(new BufferedInputStream(Channels.newInputStream(channel)), events);
        }
    }

    /** Sends one command without arguments, ignoring events. */
    public JsonNode call(String command) throws IOException {
        return call(command, Map.of(), event -> {});
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

    private static JsonNode readResult(InputStream in, Consumer<JsonNode> events) throws IOException {
        while (true) {
            JsonNode line = Json.mapper().readTree(JsonLines.read(in));
            if (line.has("event")) {
                events.accept(line.get("event"));
            } else if (line.has("error")) {
                throw new ControlException(line.get("error").asString());
            } else if (line.has("result")) {
                return line.get("result");
            } else {
                throw new IOException(
                        "an answer from the control socket is neither an event nor an error nor a result");
            }
        }
    }
}
