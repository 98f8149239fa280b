package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;

/** Where objects come from. Thread-safe. */
@FunctionalInterface
public interface ObjectSource {
    /**
     * Opens the raw content of an object; nothing about it is trusted. The caller closes it. Interrupting the thread
     * ends a read that waits.
     *
     * @param onBytes run by the reading thread whenever bytes of the content have come, in whatever encoding
     * @throws io.faasimage.api.RegistryException when the registry answers with an error, or not at all
     */
    InputStream open(Digest digest, Runnable onBytes) throws IOException;
}
