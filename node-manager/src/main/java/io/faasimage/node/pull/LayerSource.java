package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** The last source of objects: the layers of the images themselves. Thread-safe. */
@FunctionalInterface
public interface LayerSource {
    /** Has nothing. */
    LayerSource NONE =
            (_, _) -> CompletableFuture.failedFuture(new IOException("this agent reads no layers of images"));

    /**
     * Brings an object to this node. Returns at once.
     *
     * @param asFile whether it has to be a file, also where it has its place in a pack
     * @return completes when the object is here; fails with an {@link IOException} when no layer has it, or none can be
     *     read
     */
    CompletableFuture<Void> bring(Digest object, boolean asFile);
}
