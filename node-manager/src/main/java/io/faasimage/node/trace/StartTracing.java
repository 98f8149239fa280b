package io.faasimage.node.trace;

import io.faasimage.format.id.ChainId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The decision whether a container's start is traced, and its tracing. Thread-safe. */
public interface StartTracing {
    /**
     * Called for the new writable snapshot of a container.
     *
     * @param key the snapshot's key
     * @param chain the chain ID of the image's layers below it
     * @param overlayOptions the options of the overlay mount that the snapshot would be given
     * @return when this start is traced: the directory where the overlay has been mounted and is being watched; the
     *     caller answers containerd with a bind mount of it. Empty when this start is not traced.
     * @throws IOException when the start should be traced and the mount failed (the caller then continues untraced)
     */
    Optional<Path> begin(String key, ChainId chain, List<String> overlayOptions) throws IOException;

    /** The directory given by {@link #begin} for a key whose snapshot still exists, also after a restart. */
    Optional<Path> mounted(String key);

    /** The snapshot is being removed: ends the trace if it still runs (its result is kept) and unmounts. */
    void removed(String key);

    /** Traces nothing. */
    static StartTracing none() {
        return NoTracing.INSTANCE;
    }
}
