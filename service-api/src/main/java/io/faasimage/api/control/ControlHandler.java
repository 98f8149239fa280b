package io.faasimage.api.control;

import java.io.IOException;
import java.util.function.Consumer;

/** What a process does for one {@link Operation}. Called on one virtual thread per connection. */
@FunctionalInterface
public interface ControlHandler<Q, E, R> {
    /**
     * Does it.
     *
     * @param request from the client
     * @param events takes progress events; does nothing when the client is gone
     * @return the result
     * @throws IOException whose message is given to the client
     */
    R handle(Q request, Consumer<E> events) throws IOException;
}
