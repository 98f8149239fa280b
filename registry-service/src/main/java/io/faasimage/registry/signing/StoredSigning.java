package io.faasimage.registry.signing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The signing of what was stored before there was a key. It happens once, when the service makes its key or when the
 * operator says so: at any other time, what is stored without a signature may be a forgery. Thread-safe.
 */
public final class StoredSigning {
    private final boolean requested;
    private final Optional<Path> marker;

    /**
     * A signing that is due when {@code requested}, or as long as the marker exists.
     *
     * @param marker file of the data directory, which writers of database and blobs do not reach
     */
    StoredSigning(boolean requested, Optional<Path> marker) {
        this.requested = requested;
        this.marker = marker;
    }

    /** Whether what is stored is to be signed. */
    public boolean isDue() {
        return requested || marker.filter(Files::exists).isPresent();
    }

    /** All of it is signed. */
    public void done() throws IOException {
        if (marker.isPresent()) {
            Files.deleteIfExists(marker.get());
        }
    }
}
