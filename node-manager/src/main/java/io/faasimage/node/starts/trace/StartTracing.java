package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The decision whether a container's start is traced, and its tracing. Thread-safe. */
public interface StartTracing {
    /** Traces nothing. */
    StartTracing NONE = new StartTracing() {};

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
    default Optional<Path> begin(String key, ChainId chain, List<String> overlayOptions) throws IOException {
        return Optional.empty();
    }

    /** The directory given by {@link #begin} for a key whose snapshot still exists, also after a restart. */
    default Optional<Path> mounted(String key) {
        return Optional.empty();
    }

    /** The snapshot is being removed: ends the trace if it still runs (its result is kept) and unmounts. */
    default void removed(String key) {}
}
