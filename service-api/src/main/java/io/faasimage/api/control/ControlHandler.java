package io.faasimage.api.control;

import java.io.IOException;
import java.util.function.Consumer;

/** The handler of one {@link Operation} in its process. Called on one virtual thread per connection. */
@FunctionalInterface
public interface ControlHandler<Q, E, R> {
    /**
     * Performs the operation.
     *
     * @param request from the client
     * @param events takes progress events; does nothing when the client has disconnected
     * @return the result
     * @throws IOException whose message is sent to the client
     */
    R handle(Q request, Consumer<E> events) throws IOException;
}
