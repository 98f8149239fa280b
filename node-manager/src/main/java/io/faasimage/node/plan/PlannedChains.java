package io.faasimage.node.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The planned chain IDs of this node, as the snapshotter sees them. Thread-safe; every call is bounded in time.
 */
public interface PlannedChains {
    /**
     * Whether {@code chain} belongs to a plan, from local state, else by asking the registry service. When this answers
     * true the plan and the metadata image of its top are on the local disk. A registry that does not answer counts as
     * "no" and is logged as an event with the reason.
     */
    boolean isPlanned(ChainId chain);

    /**
     * Called when a client was told that it need not fetch {@code chain}. When the chain is the top of a plan, the pull of
     * its start-up set begins in the background. Returns at once.
     */
    void claimed(ChainId chain);

    /**
     * Called before {@link #isPlanned} when the client told which image the layer belongs to: it can then be asked for as a
     * whole, in one round trip. Blocks as {@link #isPlanned} does.
     *
     * @param image manifest digest
     */
    default void announced(Digest image) {}

    /** Called when a container is about to start on {@code chain}. Returns at once. */
    default void starting(ChainId chain) {}

    /**
     * Sees to it that the start-up set of {@code chain} is on its way, waits (bounded) for all of it only when containers of
     * this image start complete, mounts its metadata image when it is not mounted yet, and
     * tells the layers of its root file system.
     *
     * @param chain a planned chain
     * @param nested true when ordinary layers go on top: the metadata image then lies on a loop device and the answer is
     *     one directory where the read-only inner overlay is mounted (the kernel stacks at most two file systems)
     * @throws IOException when the metadata image can be neither found nor fetched, or the kernel refuses the mount
     */
    RootLayers open(ChainId chain, boolean nested) throws IOException;

    /** Called when the last snapshot of {@code chain} is removed; its mounts may go, its objects stay. */
    void released(ChainId chain);

    /** Those of a node without a registry: nothing is planned. */
    static PlannedChains none() {
        return NoPlans.INSTANCE;
    }

    /**
     * How a planned root file system is put under an overlay.
     *
     * @param lowerdir value for the {@code lowerdir=} option, below any ordinary layers
     * @param metacopy whether the overlay needs {@code metacopy=on,redirect_dir=on} (false when nested)
     */
    record RootLayers(String lowerdir, boolean metacopy) {
        /** A plain directory as the only lower layer. */
        public static RootLayers directory(Path directory) {
            return new RootLayers(directory.toString(), false);
        }
    }
}
