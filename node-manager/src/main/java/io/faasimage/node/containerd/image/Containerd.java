package io.faasimage.node.containerd.image;

import java.io.IOException;

/** The calls of an image pull to containerd, in one namespace and under one lease. Used by one thread. */
final class Containerd implements AutoCloseable {
    private final PullLease lease;
    private final ContentStore content;
    private final LayerSnapshots layers;
    private final ImageRecords records;

    private Containerd(PullLease lease, String snapshotter) {
        this.lease = lease;
        ContainerdCalls calls = lease.calls();
        this.content = new ContentStore(calls, lease.id());
        this.layers = new LayerSnapshots(calls, snapshotter);
        this.records = new ImageRecords(calls, snapshotter);
    }

    /** Takes a lease in {@code namespace}. */
    static Containerd open(ContainerdChannel connection, String namespace, String snapshotter, Leases leases)
            throws IOException {
        return new Containerd(PullLease.take(connection, namespace, leases), snapshotter);
    }

    /** Where documents and layers are stored. */
    ContentStore content() {
        return content;
    }

    /** Where layers are mounted from. */
    LayerSnapshots layers() {
        return layers;
    }

    /** The records that name the images. */
    ImageRecords records() {
        return records;
    }

    /** Releases the lease. */
    @Override
    public void close() throws IOException {
        lease.close();
    }
}
