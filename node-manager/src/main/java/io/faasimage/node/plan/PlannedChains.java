package io.faasimage.node.plan;

import io.faasimage.format.id.ChainId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * The planned chain IDs of this node, as the snapshotter sees them. Thread-safe; every call is bounded in time.
 */
public interface PlannedChains {
    /**
     * Whether a layer need not be fetched: the image that is pulled is known to the registry service by its manifest,
     * and the layer belongs to a plan; from local state, else by asking the service. When this answers true the plan
     * and the metadata image of its top are on the local disk, or can be fetched. A service that does not answer counts
     * as "no" and is logged as an event with the reason.
     */
    boolean isPlanned(WantedLayer layer);

    /**
     * Called when a client was told that it need not fetch {@code chain}. When the chain is the top of a plan, the pull
     * of its start-up set begins in the background. Returns at once.
     */
    void claimed(ChainId chain);

    /** Called when a container is about to start on {@code chain}. Returns at once. */
    default void starting(ChainId chain) {}

    /** Called when every file of {@code chain} is about to be read. Returns at once. */
    default void readingAll(ChainId chain) {}

    /**
     * Sees to it that the start-up set of {@code chain} is on its way, waits (bounded) for all of it only when
     * containers of this image start complete, mounts its metadata image when it is not mounted yet, and tells the
     * layers of its root file system.
     *
     * @param chain a planned chain
     * @param nested true when ordinary layers go on top: the metadata image then lies on a loop device and the answer
     *     is one directory where the read-only inner overlay is mounted (the kernel stacks at most two file systems)
     * @throws IOException when the metadata image can be neither found nor fetched, or the kernel refuses the mount
     */
    RootLayers open(ChainId chain, boolean nested) throws IOException;

    /**
     * Called when the last snapshot of {@code chain} was removed; its mounts may go, its objects stay.
     *
     * @param unused whether there is still no other one
     */
    void released(ChainId chain, BooleanSupplier unused);

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
