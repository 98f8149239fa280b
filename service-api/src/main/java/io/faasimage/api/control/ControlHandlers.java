package io.faasimage.api.control;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/** The operations of a control socket with the handler of each. Complete before a {@link ControlServer} starts. */
public final class ControlHandlers {
    private final Map<String, Handled<?, ?, ?>> operations = new LinkedHashMap<>();

    private record Handled<Q, E, R>(Operation<Q, E, R> operation, ControlHandler<Q, E, R> handler) {
        byte[] answer(byte[] line, Consumer<byte[]> events) throws IOException {
            R result = handler.handle(
                    request(line), event -> events.accept(JsonLines.field("event", operation.event(), event)));
            return JsonLines.field("result", operation.result(), result);
        }

        private Q request(byte[] line) throws IOException {
            try (JsonParser in = JsonLines.parse(line)) {
                return operation.request().read(in);
            } catch (JacksonException e) {
                throw new IOException("not a request of '" + operation.name() + "': " + e.getOriginalMessage(), e);
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    /** Adds an operation; this. */
    public <Q, E, R> ControlHandlers on(Operation<Q, E, R> operation, ControlHandler<Q, E, R> handler) {
        if (operations.put(operation.name(), new Handled<>(operation, handler)) != null) {
            throw new IllegalArgumentException("two handlers of '" + operation.name() + "'");
        }
        return this;
    }

    /** Performs the operation called {@code command}: the line with its result, after those of its events. */
    byte[] answer(String command, byte[] line, Consumer<byte[]> events) throws IOException {
        Handled<?, ?, ?> handled = operations.get(command);
        if (handled == null) {
            throw new IOException("unknown command '" + command + "'; this socket supports "
                    + String.join(", ", operations.keySet()));
        }
        return handled.answer(line, events);
    }
}
