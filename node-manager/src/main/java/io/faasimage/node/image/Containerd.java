package io.faasimage.node.image;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Timestamp;
import containerd.services.images.v1.ImagesGrpc;
import containerd.services.images.v1.ImagesOuterClass.CreateImageRequest;
import containerd.services.images.v1.ImagesOuterClass.Image;
import containerd.services.images.v1.ImagesOuterClass.UpdateImageRequest;
import io.faasimage.node.image.ContainerdCalls.Limit;
import io.grpc.Status;
import java.io.IOException;
import java.time.Instant;

/** What an image pull needs of containerd, in one namespace and under one lease. Used by one thread. */
final class Containerd implements AutoCloseable {
    private final PullLease lease;
    private final ContainerdCalls calls;
    private final ContentStore content;
    private final LayerSnapshots layers;

    private Containerd(PullLease lease, String snapshotter) {
        this.lease = lease;
        this.calls = lease.calls();
        this.content = new ContentStore(calls, lease.id());
        this.layers = new LayerSnapshots(calls, snapshotter);
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

    /** Creates the image record, or points it to the new target. */
    void putImage(String name, Descriptor target) throws IOException {
        Instant now = Instant.now();
        Timestamp time = Timestamp.newBuilder()
                .setSeconds(now.getEpochSecond())
                .setNanos(now.getNano())
                .build();
        Image image = Image.newBuilder()
                .setName(name)
                .setTarget(target.message())
                .setCreatedAt(time)
                .setUpdatedAt(time)
                .build();
        ImagesGrpc.ImagesBlockingStub images = calls.stub(ImagesGrpc::newBlockingStub, Limit.USUAL);
        if (calls.unless(
                        Status.Code.ALREADY_EXISTS,
                        "create image " + name,
                        () -> images.create(
                                CreateImageRequest.newBuilder().setImage(image).build()))
                .isEmpty()) {
            calls.call(
                    "update image " + name,
                    () -> images.update(UpdateImageRequest.newBuilder()
                            .setImage(image)
                            .setUpdateMask(FieldMask.newBuilder().addPaths("target"))
                            .build()));
        }
    }

    /** Gives the lease back. */
    @Override
    public void close() throws IOException {
        lease.close();
    }
}
