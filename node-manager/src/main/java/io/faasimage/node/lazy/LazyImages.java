package io.faasimage.node.lazy;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.rootfs.RootLayers;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The lazy images of this node, as the snapshotter sees them: layers that are claimed instead of fetched, and opened
 * when a container starts. Thread-safe; every call is bounded in time.
 *
 * <p>A layer is claimed by {@link #isPlanned}, then {@link #claimed} once the snapshot that stands for it is recorded.
 * {@link #starting} and {@link #readingAll} announce the next use of a claimed layer; they return at once and are
 * optional. {@link #open} mounts it, any number of times; its mounts stay until {@link #released}, which is called when
 * its last snapshot was removed. An {@code open} that threw may be repeated.
 */
public interface LazyImages {
    /**
     * Whether a layer need not be fetched: the image that is pulled is known to the service by its manifest, and the
     * layer belongs to a plan; from local state, else by a request to the service. When this answers true the plan and
     * the metadata image of its top are on the local disk, or can be fetched. A service that does not answer counts as
     * "no" and is logged as an event with the reason.
     */
    boolean isPlanned(WantedLayer layer);

    /**
     * Called when a layer {@code chain} has been claimed for a start: its client does not fetch it. When the chain is
     * the top of a plan, the pull of its prefetch list begins in the background. Returns at once.
     */
    void claimed(ChainId chain);

    /** Called when a container is about to start on {@code chain}. Returns at once. */
    default void starting(ChainId chain) {}

    /** Called when every file of {@code chain} is about to be read. Returns at once. */
    default void readingAll(ChainId chain) {}

    /**
     * Ensures that the prefetch list of {@code chain} is being pulled, waits (bounded) for all of it only when
     * containers of this image start complete, mounts its metadata image when it is not mounted yet, and returns the
     * layers of its root file system.
     *
     * @param chain a planned chain
     * @param nested true when unplanned layers go on top: the metadata image then lies on a loop device and the answer
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

    /** The lazy images of a node without a registry: nothing is planned. */
    static LazyImages none() {
        return NoPlans.INSTANCE;
    }
}
