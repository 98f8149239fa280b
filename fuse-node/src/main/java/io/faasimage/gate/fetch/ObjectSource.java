package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;

/** Where objects come from. Thread-safe. */
@FunctionalInterface
public interface ObjectSource {
    /**
     * Opens the raw content of an object; nothing about it is trusted. The caller closes it. A read
     * that waits ends by itself when nothing has come for as long as a fetch may stall.
     *
     * @param onBytes run by the reading thread whenever bytes of the content have come, in whatever encoding
     * @throws io.faasimage.api.RegistryException when the registry answers with an error, or not at all
     */
    InputStream open(Digest digest, Runnable onBytes) throws IOException;
}
