package io.faasimage.node.containerd.snapshot;

import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsOuterClass.CleanupRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.CommitSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.Info;
import containerd.services.snapshots.v1.SnapshotsOuterClass.Kind;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ListSnapshotsRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ListSnapshotsResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.MountsRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.MountsResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.RemoveSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.StatSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.StatSnapshotResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.UpdateSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.UpdateSnapshotResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.UsageRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.UsageResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ViewSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.ViewSnapshotResponse;
import containerd.types.MountOuterClass;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** containerd's snapshots service: translates messages, nothing else. */
final class SnapshotService extends SnapshotsGrpc.SnapshotsImplBase {
    private static final int LIST_BATCH = 100;

    private final Snapshotter snapshotter;
    private final Scope scope;

    /** The service of one socket, which shows the snapshots of {@code scope} alone. */
    SnapshotService(Snapshotter snapshotter, Scope scope) {
        this.snapshotter = snapshotter;
        this.scope = scope;
    }

    @FunctionalInterface
    private interface Call<T> {
        T answer() throws IOException;
    }

    @Override
    public void prepare(PrepareSnapshotRequest request, StreamObserver<PrepareSnapshotResponse> observer) {
        answer(
                "Prepare",
                observer,
                () -> PrepareSnapshotResponse.newBuilder()
                        .addAllMounts(messages(snapshotter.prepare(
                                scope.stored(request.getKey()),
                                scope.stored(request.getParent()),
                                request.getLabelsMap())))
                        .build());
    }

    @Override
    public void view(ViewSnapshotRequest request, StreamObserver<ViewSnapshotResponse> observer) {
        answer(
                "View",
                observer,
                () -> ViewSnapshotResponse.newBuilder()
                        .addAllMounts(messages(snapshotter.view(
                                scope.stored(request.getKey()),
                                scope.stored(request.getParent()),
                                request.getLabelsMap())))
                        .build());
    }

    @Override
    public void mounts(MountsRequest request, StreamObserver<MountsResponse> observer) {
        answer(
                "Mounts",
                observer,
                () -> MountsResponse.newBuilder()
                        .addAllMounts(messages(snapshotter.mounts(scope.stored(request.getKey()))))
                        .build());
    }

    @Override
    public void commit(CommitSnapshotRequest request, StreamObserver<Empty> observer) {
        answer("Commit", observer, () -> {
            snapshotter.commit(
                    scope.stored(request.getName()),
                    scope.stored(request.getKey()),
                    scope.stored(request.getParent()),
                    request.getLabelsMap());
            return Empty.getDefaultInstance();
        });
    }

    @Override
    public void remove(RemoveSnapshotRequest request, StreamObserver<Empty> observer) {
        answer("Remove", observer, () -> {
            snapshotter.remove(scope.stored(request.getKey()));
            return Empty.getDefaultInstance();
        });
    }

    @Override
    public void stat(StatSnapshotRequest request, StreamObserver<StatSnapshotResponse> observer) {
        answer(
                "Stat",
                observer,
                () -> StatSnapshotResponse.newBuilder()
                        .setInfo(message(scope.shown(snapshotter.stat(scope.stored(request.getKey())))))
                        .build());
    }

    @Override
    public void update(UpdateSnapshotRequest request, StreamObserver<UpdateSnapshotResponse> observer) {
        Info info = request.getInfo();
        answer(
                "Update",
                observer,
                () -> UpdateSnapshotResponse.newBuilder()
                        .setInfo(message(scope.shown(snapshotter.update(
                                scope.stored(info.getName()),
                                info.getLabelsMap(),
                                request.getUpdateMask().getPathsList()))))
                        .build());
    }

    @Override
    public void list(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> observer) {
        try {
            Predicate<Snapshot> wanted = SnapshotFilter.anyOf(request.getFiltersList());
            ListSnapshotsResponse.Builder batch = ListSnapshotsResponse.newBuilder();
            for (Snapshot stored : snapshotter.list()) {
                if (!scope.holds(stored)) {
                    continue;
                }
                Snapshot snapshot = scope.shown(stored);
                if (!wanted.test(snapshot)) {
                    continue;
                }
                batch.addInfo(message(snapshot));
                if (batch.getInfoCount() == LIST_BATCH) {
                    observer.onNext(batch.build());
                    batch.clear();
                }
            }
            if (batch.getInfoCount() > 0) {
                observer.onNext(batch.build());
            }
            observer.onCompleted();
        } catch (RuntimeException e) {
            observer.onError(GrpcErrors.of("List", e));
        }
    }

    @Override
    public void usage(UsageRequest request, StreamObserver<UsageResponse> observer) {
        answer("Usage", observer, () -> {
            Usage usage = snapshotter.usage(scope.stored(request.getKey()));
            return UsageResponse.newBuilder()
                    .setSize(usage.bytes())
                    .setInodes(usage.inodes())
                    .build();
        });
    }

    @Override
    public void cleanup(CleanupRequest request, StreamObserver<Empty> observer) {
        answer("Cleanup", observer, () -> {
            snapshotter.cleanup();
            return Empty.getDefaultInstance();
        });
    }

    private static <T> void answer(String name, StreamObserver<T> observer, Call<T> call) {
        T answer;
        try {
            answer = call.answer();
        } catch (IOException | RuntimeException e) {
            observer.onError(GrpcErrors.of(name, e));
            return;
        }
        observer.onNext(answer);
        observer.onCompleted();
    }

    private static List<MountOuterClass.Mount> messages(List<Mount> mounts) {
        return mounts.stream()
                .map(mount -> MountOuterClass.Mount.newBuilder()
                        .setType(mount.type())
                        .setSource(mount.source())
                        .addAllOptions(mount.options())
                        .build())
                .toList();
    }

    private static Info message(Snapshot snapshot) {
        return Info.newBuilder()
                .setName(snapshot.key())
                .setParent(snapshot.parent())
                .setKind(kind(snapshot.kind()))
                .setCreatedAt(message(snapshot.created()))
                .setUpdatedAt(message(snapshot.updated()))
                .putAllLabels(snapshot.labels())
                .build();
    }

    private static Timestamp message(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    private static Kind kind(SnapshotKind kind) {
        return switch (kind) {
            case VIEW -> Kind.VIEW;
            case ACTIVE -> Kind.ACTIVE;
            case COMMITTED -> Kind.COMMITTED;
        };
    }
}
