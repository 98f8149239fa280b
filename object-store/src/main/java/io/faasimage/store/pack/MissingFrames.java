package io.faasimage.store.pack;

import io.faasimage.format.plan.IndexRange;
import java.util.concurrent.CompletableFuture;

/** A bringer of frames that a reader waits for. Thread-safe. */
@FunctionalInterface
public interface MissingFrames {
    /**
     * Begins to bring those of {@code frames} that are not there, or waits for who does. Returns at once.
     *
     * @return ends when they are there, or with the reason why they are not
     */
    CompletableFuture<Void> bring(Pack pack, IndexRange frames);
}
