package io.faasimage.docker.containerd;

import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.RemoveSnapshotRequest;
import containerd.types.MountOuterClass.Mount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Root file systems of containers. Thread-safe; every call is bounded in time. */
public final class Snapshots {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ContainerdChannel containerd;
    private final String snapshotter;

    /** Snapshots of one snapshotter, in the channel's namespace. */
    public Snapshots(ContainerdChannel containerd, String snapshotter) {
        this.containerd = containerd;
        this.snapshotter = snapshotter;
    }

    /** The snapshotter's name. */
    public String snapshotter() {
        return snapshotter;
    }

    private SnapshotsGrpc.SnapshotsBlockingStub stub() {
        return SnapshotsGrpc.newBlockingStub(containerd.channel())
                .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * A writable root file system on top of an image's.
     *
     * @param parent chain ID of the image's top layer
     * @return how to mount it; empty when the image's layers are not here
     */
    public Optional<List<Mount>> prepare(String key, String parent) throws ContainerdException {
        PrepareSnapshotRequest request = PrepareSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(key)
                .setParent(parent)
                .build();
        return containerd
                .find("prepare the root file system " + key, () -> stub().prepare(request))
                .map(answer -> answer.getMountsList());
    }

    /** Removes a root file system, when it is there. */
    public void remove(String key) throws ContainerdException {
        RemoveSnapshotRequest request = RemoveSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(key)
                .build();
        containerd.find("remove the root file system " + key, () -> stub().remove(request));
    }
}
