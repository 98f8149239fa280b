package io.faasimage.node.image;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Timestamp;
import containerd.services.content.v1.ContentGrpc;
import containerd.services.content.v1.ContentOuterClass.AbortRequest;
import containerd.services.content.v1.ContentOuterClass.Info;
import containerd.services.content.v1.ContentOuterClass.InfoRequest;
import containerd.services.content.v1.ContentOuterClass.UpdateRequest;
import containerd.services.content.v1.ContentOuterClass.WriteAction;
import containerd.services.content.v1.ContentOuterClass.WriteContentRequest;
import containerd.services.content.v1.ContentOuterClass.WriteContentResponse;
import containerd.services.diff.v1.DiffGrpc;
import containerd.services.diff.v1.DiffOuterClass.ApplyRequest;
import containerd.services.images.v1.ImagesGrpc;
import containerd.services.images.v1.ImagesOuterClass.CreateImageRequest;
import containerd.services.images.v1.ImagesOuterClass.Image;
import containerd.services.images.v1.ImagesOuterClass.UpdateImageRequest;
import containerd.services.leases.v1.LeasesGrpc;
import containerd.services.leases.v1.LeasesOuterClass;
import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsOuterClass.CommitSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotResponse;
import containerd.services.snapshots.v1.SnapshotsOuterClass.RemoveSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.StatSnapshotRequest;
import containerd.types.DescriptorOuterClass;
import containerd.types.MountOuterClass.Mount;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.lazy.PullProof;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What an image pull needs of containerd, in one namespace and under one lease, which protects what is written from the
 * garbage collector until {@link #close}. Blocking; every call is bounded in time.
 */
final class Containerd implements AutoCloseable {
    private static final Metadata.Key<String> NAMESPACE =
            Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> LEASE =
            Metadata.Key.of("containerd-lease", Metadata.ASCII_STRING_MARSHALLER);
    private static final int CHUNK_BYTES = 1 << 20;
    private static final Duration CALL = Duration.ofSeconds(60);
    private static final Duration UNPACK = Duration.ofMinutes(30);
    private static final Duration LEASE_LIFE = Duration.ofHours(2);

    private final io.grpc.Channel channel;
    private final String socket;
    private final String namespace;
    private final String snapshotter;
    private final Leases leases;
    private final String lease;

    /** What became of a layer that was asked for by its chain ID. */
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
            /** Copies the list. */
            public Wanted {
                mounts = List.copyOf(mounts);
            }
        }
    }

    private Containerd(ContainerdChannel connection, String namespace, String snapshotter, Leases leases) {
        this.namespace = namespace;
        this.leases = leases;
        this.lease = leases.begin();
        Metadata headers = inNamespace(namespace);
        headers.put(LEASE, lease);
        this.channel = io.grpc.ClientInterceptors.intercept(
                connection.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
        this.socket = connection.socket().toString();
        this.snapshotter = snapshotter;
    }

    /** The headers of calls that are about {@code namespace}. */
    static Metadata inNamespace(String namespace) {
        Metadata headers = new Metadata();
        headers.put(NAMESPACE, namespace);
        return headers;
    }

    /** Takes a lease in {@code namespace}, and gives back what earlier pulls have left there. */
    static Containerd open(ContainerdChannel connection, String namespace, String snapshotter, Leases leases)
            throws IOException {
        Containerd containerd = new Containerd(connection, namespace, snapshotter, leases);
        try {
            containerd.call(
                    "take a lease",
                    () -> containerd
                            .leasing()
                            .create(LeasesOuterClass.CreateRequest.newBuilder()
                                    .setId(containerd.lease)
                                    .putLabels(
                                            "containerd.io/gc.expire",
                                            Instant.now().plus(LEASE_LIFE).toString())
                                    .build()));
        } catch (IOException e) {
            leases.end(containerd.lease);
            throw e;
        }
        if (leases.claimCleaning(namespace)) {
            containerd.giveBackLeft();
        }
        return containerd;
    }

    private LeasesGrpc.LeasesBlockingStub leasing() {
        return LeasesGrpc.newBlockingStub(channel).withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS);
    }

    /** As far as it can be done: the next pull tries again. */
    private void giveBackLeft() {
        try {
            LeasesOuterClass.ListResponse all =
                    call("list leases", () -> leasing().list(LeasesOuterClass.ListRequest.getDefaultInstance()));
            for (LeasesOuterClass.Lease left : all.getLeasesList()) {
                if (leases.isLeft(left.getId())) {
                    giveBack(left.getId());
                }
            }
        } catch (IOException e) {
            leases.unclean(namespace);
        }
    }

    private interface Call<T> {
        T send() throws StatusException;
    }

    private <T> T call(String what, Call<T> call) throws IOException {
        try {
            return call.send();
        } catch (StatusException e) {
            throw failure(what, e.getStatus(), e);
        } catch (StatusRuntimeException e) {
            throw failure(what, e.getStatus(), e);
        }
    }

    private IOException failure(String what, Status status, Exception cause) {
        String remedy = status.getCode() == Status.Code.UNAVAILABLE ? "; is containerd running at " + socket + "?" : "";
        return new IOException(
                "could not " + what + ": containerd answered " + status.getCode() + " (" + status.getDescription() + ")"
                        + remedy,
                cause);
    }

    /** Like {@link #call}, but empty when containerd answers {@code expected}. */
    private <T> Optional<T> unless(Status.Code expected, String what, Call<T> call) throws IOException {
        try {
            return Optional.of(call.send());
        } catch (StatusException e) {
            if (e.getStatus().getCode() == expected) {
                return Optional.empty();
            }
            throw failure(what, e.getStatus(), e);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == expected) {
                return Optional.empty();
            }
            throw failure(what, e.getStatus(), e);
        }
    }

    /** Whether the content store has this, in the namespace. */
    boolean holds(Descriptor descriptor) throws IOException {
        return unless(
                        Status.Code.NOT_FOUND,
                        "look up " + descriptor.digest(),
                        () -> ContentGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS)
                                .info(InfoRequest.newBuilder()
                                        .setDigest(descriptor.digest().toString())
                                        .build()))
                .isPresent();
    }

    /** Writes content, unless it is there, and sets its labels; containerd verifies size and digest. */
    void write(Descriptor descriptor, InputStream content, Map<String, String> labels) throws IOException {
        String ref = lease + "-" + descriptor.digest().hex();
        Optional<Digest> written = unless(
                Status.Code.ALREADY_EXISTS,
                "store " + descriptor.digest(),
                () -> send(ref, descriptor, content, labels));
        if (written.isEmpty() && !labels.isEmpty()) {
            relabel(descriptor.digest(), labels);
        }
    }

    private Digest send(String ref, Descriptor descriptor, InputStream content, Map<String, String> labels)
            throws StatusException {
        BlockingClientCall<WriteContentRequest, WriteContentResponse> call = ContentGrpc.newBlockingV2Stub(channel)
                .withDeadlineAfter(UNPACK.toSeconds(), TimeUnit.SECONDS)
                .write();
        boolean done = false;
        try {
            long offset = 0;
            byte[] buffer = new byte[(int) Math.min(CHUNK_BYTES, Math.max(1, descriptor.size()))];
            for (int n = content.readNBytes(buffer, 0, buffer.length); ; ) {
                boolean last = n < buffer.length || offset + n >= descriptor.size();
                WriteContentRequest.Builder message = WriteContentRequest.newBuilder()
                        .setAction(last ? WriteAction.COMMIT : WriteAction.WRITE)
                        .setRef(ref)
                        .setTotal(descriptor.size())
                        .setExpected(descriptor.digest().toString())
                        .setOffset(offset)
                        .setData(ByteString.copyFrom(buffer, 0, n));
                exchange(call, last ? message.putAllLabels(labels).build() : message.build());
                if (last) {
                    done = true;
                    return descriptor.digest();
                }
                offset += n;
                n = content.readNBytes(buffer, 0, buffer.length);
            }
        } catch (IOException e) {
            throw Status.ABORTED.withDescription(e.getMessage()).withCause(e).asException();
        } finally {
            call.halfClose();
            if (!done) {
                call.cancel("not finished", null);
                abort(ref);
            }
        }
    }

    private static void exchange(
            BlockingClientCall<WriteContentRequest, WriteContentResponse> call, WriteContentRequest message)
            throws StatusException, InterruptedIOException {
        try {
            call.write(message, CALL.toSeconds(), TimeUnit.SECONDS);
            call.read(CALL.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while content was stored");
        } catch (TimeoutException e) {
            throw Status.DEADLINE_EXCEEDED
                    .withDescription("containerd did not accept the content in time")
                    .asException();
        }
    }

    private void abort(String ref) {
        try {
            ContentGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS)
                    .abort(AbortRequest.newBuilder().setRef(ref).build());
        } catch (StatusRuntimeException e) {
            // There was nothing to abort, or containerd collects it with the lease.
            return;
        }
    }

    private void relabel(Digest digest, Map<String, String> labels) throws IOException {
        FieldMask.Builder mask = FieldMask.newBuilder();
        labels.keySet().forEach(key -> mask.addPaths("labels." + key));
        UpdateRequest request = UpdateRequest.newBuilder()
                .setInfo(Info.newBuilder().setDigest(digest.toString()).putAllLabels(labels))
                .setUpdateMask(mask)
                .build();
        call(
                "label " + digest,
                () -> ContentGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS)
                        .update(request));
    }

    private SnapshotsGrpc.SnapshotsBlockingStub snapshots() {
        return SnapshotsGrpc.newBlockingStub(channel).withDeadlineAfter(UNPACK.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * Asks the snapshotter for a layer by its chain ID.
     *
     * @param manifest digest of the manifest of the image that is pulled
     */
    Layer prepare(ChainId chain, Optional<ChainId> parent, Digest manifest) throws IOException {
        StatSnapshotRequest stat = StatSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(chain.toString())
                .build();
        if (unless(
                        Status.Code.NOT_FOUND,
                        "look up snapshot " + chain,
                        () -> snapshots().stat(stat))
                .isPresent()) {
            return new Layer.Present();
        }
        String key = "extract-" + UUID.randomUUID() + " " + chain;
        PrepareSnapshotRequest request = PrepareSnapshotRequest.newBuilder()
                .setSnapshotter(snapshotter)
                .setKey(key)
                .setParent(parent.map(ChainId::toString).orElse(""))
                .putLabels("containerd.io/snapshot.ref", chain.toString())
                .putLabels(PullProof.LABEL, PullProof.of(manifest, key))
                .build();
        Optional<PrepareSnapshotResponse> prepared = unless(
                Status.Code.ALREADY_EXISTS,
                "prepare snapshot " + chain,
                () -> snapshots().prepare(request));
        if (prepared.isEmpty()) {
            return new Layer.Present();
        }
        return new Layer.Wanted(key, prepared.get().getMountsList());
    }

    /** Unpacks a layer's stored content where {@code wanted} says and commits it as {@code chain}. */
    void unpack(Layer.Wanted wanted, Descriptor layer, ChainId chain) throws IOException {
        try {
            call(
                    "unpack layer " + layer.digest(),
                    () -> DiffGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(UNPACK.toSeconds(), TimeUnit.SECONDS)
                            .apply(ApplyRequest.newBuilder()
                                    .setDiff(proto(layer))
                                    .addAllMounts(wanted.mounts())
                                    .build()));
            CommitSnapshotRequest commit = CommitSnapshotRequest.newBuilder()
                    .setSnapshotter(snapshotter)
                    .setName(chain.toString())
                    .setKey(wanted.key())
                    .build();
            if (unless(
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

    /** Gives a prepared layer up because of {@code reason}, which stays what the caller throws. */
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
        unless(
                Status.Code.NOT_FOUND,
                "remove snapshot " + wanted.key(),
                () -> snapshots().remove(request));
    }

    /** Creates the image record, or points it to the new target. */
    void putImage(String name, Descriptor target) throws IOException {
        Instant now = Instant.now();
        Timestamp time = Timestamp.newBuilder()
                .setSeconds(now.getEpochSecond())
                .setNanos(now.getNano())
                .build();
        Image image = Image.newBuilder()
                .setName(name)
                .setTarget(proto(target))
                .setCreatedAt(time)
                .setUpdatedAt(time)
                .build();
        ImagesGrpc.ImagesBlockingStub images =
                ImagesGrpc.newBlockingStub(channel).withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS);
        if (unless(
                        Status.Code.ALREADY_EXISTS,
                        "create image " + name,
                        () -> images.create(
                                CreateImageRequest.newBuilder().setImage(image).build()))
                .isEmpty()) {
            call(
                    "update image " + name,
                    () -> images.update(UpdateImageRequest.newBuilder()
                            .setImage(image)
                            .setUpdateMask(FieldMask.newBuilder().addPaths("target"))
                            .build()));
        }
    }

    private static DescriptorOuterClass.Descriptor proto(Descriptor descriptor) {
        return DescriptorOuterClass.Descriptor.newBuilder()
                .setMediaType(descriptor.mediaType())
                .setDigest(descriptor.digest().toString())
                .setSize(descriptor.size())
                .build();
    }

    /** Gives the lease back; one that cannot be given back is by a later pull, or ends by itself. */
    @Override
    public void close() throws IOException {
        leases.end(lease);
        try {
            giveBack(lease);
        } catch (IOException e) {
            leases.unclean(namespace);
            throw e;
        }
    }

    private void giveBack(String id) throws IOException {
        unless(
                Status.Code.NOT_FOUND,
                "release a lease",
                () -> leasing()
                        .delete(LeasesOuterClass.DeleteRequest.newBuilder()
                                .setId(id)
                                .build()));
    }
}
