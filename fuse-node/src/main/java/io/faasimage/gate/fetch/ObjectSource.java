package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;

/** A source of objects. Thread-safe. */
@FunctionalInterface
public interface ObjectSource {
    /** Has nothing. */
    ObjectSource NONE = (digest, _) -> {
        throw new IOException("there is no service; the node agent has the objects");
    };

    /**
     * Opens the raw content of an object, which is not verified. The caller closes it. A blocked read fails by itself
     * when nothing has come for as long as a fetch may stall.
     *
     * @param onBytes called on the reading thread with the number of bytes of the content that have come, in whatever
     *     encoding
     * @throws io.faasimage.api.client.ServiceException when the service answers with an error, or not at all
     */
    InputStream open(Digest digest, IntConsumer onBytes) throws IOException;

    /** Whether it serves requests, so that "not found" can be believed. */
    default boolean isServing() {
        return true;
    }
}
