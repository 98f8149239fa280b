package io.faasimage.node.containerd.image;

import containerd.services.diff.v1.DiffGrpc;
import containerd.services.diff.v1.DiffOuterClass.ApplyRequest;
import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsOuterClass.CommitSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.RemoveSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.StatSnapshotRequest;
import containerd.types.MountOuterClass.Mount;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.containerd.image.ContainerdCalls.Limit;
import io.faasimage.node.plans.lazy.PullProof;
import io.faasimage.node.plans.lazy.PullProof.Purpose;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The layers of images as snapshots of this node's snapshotter: claimed by their plan, or unpacked by containerd. */
final class LayerSnapshots {
    private static final long DIAL_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ContainerdCalls calls;
    private final String snapshotter;

    /** {@code snapshotter} is the name under which containerd knows it. */
    LayerSnapshots(ContainerdCalls calls, String snapshotter) {
        this.calls = calls;
        this.snapshotter = snapshotter;
    }

    /** The state of a layer that was requested by its chain ID. */
    sealed interface Layer {
        /** It is there; nothing need be fetched. */
        record Present() implements Layer {}

        /**
         * It has to be unpacked here.
         *
         * @param key of the snapshot, to be committed
         * @param mounts where to unpack
         */
        record Wanted(String key, List<Mount> mounts) implements Layer {
            public Wanted {
                mounts = List.copyOf(mounts);
            }
        }
    }

    private SnapshotsGrpc.SnapshotsBlockingStub snapshots() {
        return calls.stub(SnapshotsGrpc::newBlockingStub, Limit.CONTENT);
    }

    /**
     * Requests a layer from the snapshotter by its chain ID.
     *
     * @param manifest digest of the manifest of the image that is pulled
     * @param purpose of the pull
     */
    Layer prepare(ChainId chain, Optional<ChainId> parent, Digest manifest, Purpose purpose) throws IOException {
        StatSnapshotRequest stat = StatSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(chain.toString())
                .build();
        if (calls.unless(
                        Status.Code.NOT_FOUND,
                        "look up snapshot " + chain,
                        dialled(() -> snapshots().stat(stat)))
                .isPresent()) {
            return new Layer.Present();
        }
        String key = "extract-" + UUID.randomUUID() + " " + chain;
        PrepareSnapshotRequest request = PrepareSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(key)
                .setParent(parent.map(ChainId::toString).orElse(""))
                .putLabels("containerd.io/snapshot.ref", chain.toString())
                .putLabels(PullProof.LABEL, PullProof.of(manifest, purpose, key))
                .build();
        Optional<PrepareSnapshotResponse> prepared = calls.unless(
                Status.Code.ALREADY_EXISTS,
                "prepare snapshot " + chain,
                dialled(() -> snapshots().prepare(request)));
        if (prepared.isEmpty()) {
            return new Layer.Present();
        }
        return new Layer.Wanted(key, prepared.get().getMountsList());
    }

    /**
     * Repeats a call that containerd could not send on: when this process has just been started, containerd may be in a
     * pause before it dials the snapshotter's socket again.
     */
    private static <T> ContainerdCalls.Call<T> dialled(ContainerdCalls.Call<T> call) {
        return () -> {
            long end = System.nanoTime() + DIAL_NANOS;
            while (true) {
                try {
                    return call.send();
                } catch (StatusRuntimeException e) {
                    if (!isNotDialled(e.getStatus()) || System.nanoTime() > end) {
                        throw e;
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        };
    }

    private static boolean isNotDialled(Status status) {
        String description = status.getDescription();
        return status.getCode() == Status.Code.UNAVAILABLE
                && description != null
                && description.contains("Error while dialing");
    }

    /** Unpacks a layer's stored content where {@code wanted} says and commits it as {@code chain}. */
    void unpack(Layer.Wanted wanted, Descriptor layer, ChainId chain) throws IOException {
        try {
            calls.call(
                    "unpack layer " + layer.digest(),
                    () -> calls.stub(DiffGrpc::newBlockingStub, Limit.CONTENT)
                            .apply(ApplyRequest.newBuilder()
                                    .setDiff(layer.message())
                                    .addAllMounts(wanted.mounts())
                                    .build()));
            CommitSnapshotRequest commit = CommitSnapshotRequest.newBuilder()
                    .setSnapshotter(snapshotter)
                    .setName(chain.toString())
                    .setKey(wanted.key())
                    .build();
            if (calls.unless(
                            Status.Code.ALREADY_EXISTS,
                            "commit snapshot " + chain,
                            () -> snapshots().commit(commit))
                    .isEmpty()) {
                remove(wanted);
            }
        } catch (IOException e) {
            giveUp(wanted, e);
            throw e;
        }
    }

    /** Abandons a prepared layer because of {@code reason}, which the caller throws. */
    void giveUp(Layer.Wanted wanted, IOException reason) {
        try {
            remove(wanted);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    private void remove(Layer.Wanted wanted) throws IOException {
        RemoveSnapshotRequest request = RemoveSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(wanted.key())
                .build();
        calls.unless(
                Status.Code.NOT_FOUND,
                "remove snapshot " + wanted.key(),
                () -> snapshots().remove(request));
    }
}
