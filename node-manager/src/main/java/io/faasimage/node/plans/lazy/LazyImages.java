package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.plans.rootfs.RootLayers;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The lazy images of this node, as the snapshotter sees them: layers that are claimed instead of fetched, and opened
 * when a container starts. Thread-safe; every call is bounded in time.
 *
 * <p>A claimed layer may be opened any number of times; its mounts stay until {@link #release}, which is called when
 * its last snapshot was removed. An {@code open} that threw may be repeated.
 */
public interface LazyImages {
    /**
     * Claims a layer, so that it need not be fetched: the image that is pulled is known to the service by its manifest,
     * and the layer belongs to a plan; from local state, else by a request to the service. When this answers true the
     * plan and the metadata image of its top are on the local disk, or can be fetched, and if the layer is the top of a
     * plan and is pulled for a start, the prefetch list is being pulled. A service that does not answer counts as "no"
     * and is logged as an event with the reason.
     */
    boolean claim(WantedLayer layer);

    /**
     * The purpose of opening a layer.
     *
     * @param start whether a container starts on it: a newer plan is requested afterwards
     * @param nested whether unplanned layers go on top: the metadata image then lies on a loop device and the answer is
     *     one directory where the read-only inner overlay is mounted (the kernel stacks at most two file systems)
     */
    record Purpose(boolean start, boolean nested) {}

    /**
     * Ensures that the prefetch list of {@code chain} is being pulled, waits (bounded) for all of it only when
     * containers of this image start complete, mounts its metadata image when it is not mounted yet, and returns the
     * layers of its root file system.
     *
     * @param chain a planned chain
     * @throws IOException when the metadata image can be neither found nor fetched, or the kernel refuses the mount
     */
    RootLayers open(ChainId chain, Purpose purpose) throws IOException;

    /** Announces that every file of {@code chain} is about to be read. Returns at once. */
    void reading(ChainId chain);

    /**
     * Called when the last snapshot of {@code chain} was removed; its mounts may go, its objects stay.
     *
     * @param unused whether there is still no other one
     */
    void release(ChainId chain, BooleanSupplier unused);
}
