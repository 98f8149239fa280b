package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;

/** A source of objects. Thread-safe. */
@FunctionalInterface
public interface ObjectSource {
    /**
     * Opens the raw content of an object; nothing about it is trusted. The caller closes it. A read
     * that waits ends by itself when nothing has come for as long as a fetch may stall.
     *
     * @param onBytes takes the number of bytes of the content that have come, in whatever encoding, on the reading
     *     thread
     * @throws io.faasimage.api.client.ServiceException when the service answers with an error, or not at all
     */
    InputStream open(Digest digest, IntConsumer onBytes) throws IOException;

    /** Whether it serves requests, so that "not found" can be believed. */
    default boolean isServing() {
        return true;
    }
}
