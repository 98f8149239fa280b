package io.faasimage.api.control;

import java.io.IOException;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A handler of the commands of a process's control socket. Called on one virtual thread per connection. */
@FunctionalInterface
public interface ControlHandler {
    /**
     * Does one command.
     *
     * @param command its name
     * @param request the whole request
     * @param events takes progress events, each a JSON-serialisable object; does nothing when the client is gone
     * @return the result, JSON-serialisable
     * @throws IOException whose message is given to the client
     */
    Object handle(String command, JsonNode request, Consumer<Object> events) throws IOException;
}
