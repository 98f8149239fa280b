package io.faasimage.node.containerd.image;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Timestamp;
import containerd.services.images.v1.ImagesGrpc;
import containerd.services.images.v1.ImagesOuterClass.CreateImageRequest;
import containerd.services.images.v1.ImagesOuterClass.DeleteImageRequest;
import containerd.services.images.v1.ImagesOuterClass.GetImageRequest;
import containerd.services.images.v1.ImagesOuterClass.GetImageResponse;
import containerd.services.images.v1.ImagesOuterClass.Image;
import containerd.services.images.v1.ImagesOuterClass.ListImagesRequest;
import containerd.services.images.v1.ImagesOuterClass.ListImagesResponse;
import containerd.services.images.v1.ImagesOuterClass.UpdateImageRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.node.containerd.image.ContainerdCalls.Limit;
import io.grpc.Status;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The image records of containerd in one namespace. A label distinguishes those of this agent's catalogue from those of
 * users: a client of containerd that pulls the image replaces all labels, so that the record is its own from then on.
 */
final class ImageRecords {
    /** CRI's, from containerd 1.7.3 on: kubelet does not remove the image to gain space. */
    private static final String PIN = "io.cri-containerd.pinned";

    private static final String PINNED = "pinned";

    private final ContainerdCalls calls;
    private final String label;

    /** Records in the namespace of {@code calls}. */
    ImageRecords(ContainerdCalls calls, String snapshotter) {
        this.calls = calls;
        this.label = "faasimage/catalogue." + snapshotter;
    }

    private ImagesGrpc.ImagesBlockingStub images() {
        return calls.stub(ImagesGrpc::newBlockingStub, Limit.USUAL);
    }

    /** All of them by name, with the manifest digest of those that are the catalogue's. */
    Map<String, Optional<Digest>> all() throws IOException {
        ListImagesResponse answer =
                calls.call("list images", () -> images().list(ListImagesRequest.getDefaultInstance()));
        Map<String, Optional<Digest>> all = new HashMap<>();
        answer.getImagesList().forEach(image -> all.put(image.getName(), catalogued(image)));
        return all;
    }

    private Optional<Digest> catalogued(Image image) {
        try {
            return Optional.ofNullable(image.getLabelsMap().get(label)).map(Digest::parse);
        } catch (IllegalArgumentException e) {
            // Another program's label.
            return Optional.empty();
        }
    }

    /** Creates the record of a user, or points it to the new target; one of the catalogue becomes the user's. */
    void put(String name, Descriptor target) throws IOException {
        Image image = image(name, target).build();
        if (!create(image)) {
            FieldMask.Builder mask = FieldMask.newBuilder().addPaths("target");
            if (find(name).flatMap(this::catalogued).isPresent()) {
                // Fields that are in the mask and not in the message are removed.
                mask.addPaths("labels." + label).addPaths("labels." + PIN);
            }
            update(image, mask);
        }
    }

    /**
     * Creates the catalogue's record of an image, or points it to the new target; false when there is one of a user,
     * which is left as it is.
     *
     * @param manifest digest of this machine's manifest
     */
    boolean putCatalogued(String name, Descriptor target, Digest manifest) throws IOException {
        Image image = image(name, target)
                .putLabels(label, manifest.toString())
                .putLabels(PIN, PINNED)
                .build();
        if (create(image)) {
            return true;
        }
        if (find(name).flatMap(this::catalogued).isEmpty()) {
            return false;
        }
        update(image, FieldMask.newBuilder().addPaths("target").addPaths("labels." + label));
        return true;
    }

    /** Removes the record if it is the catalogue's. */
    void removeCatalogued(String name) throws IOException {
        if (find(name).flatMap(this::catalogued).isPresent()) {
            calls.unless(
                    Status.Code.NOT_FOUND,
                    "remove image " + name,
                    () -> images().delete(DeleteImageRequest.newBuilder()
                            .setName(name)
                            .build()));
        }
    }

    private Optional<Image> find(String name) throws IOException {
        return calls.unless(
                        Status.Code.NOT_FOUND,
                        "look up image " + name,
                        () -> images().get(GetImageRequest.newBuilder()
                                .setName(name)
                                .build()))
                .map(GetImageResponse::getImage);
    }

    private boolean create(Image image) throws IOException {
        return calls.unless(
                        Status.Code.ALREADY_EXISTS,
                        "create image " + image.getName(),
                        () -> images().create(CreateImageRequest.newBuilder()
                                .setImage(image)
                                .build()))
                .isPresent();
    }

    private void update(Image image, FieldMask.Builder mask) throws IOException {
        calls.call(
                "update image " + image.getName(),
                () -> images().update(UpdateImageRequest.newBuilder()
                        .setImage(image)
                        .setUpdateMask(mask)
                        .build()));
    }

    private static Image.Builder image(String name, Descriptor target) {
        Instant now = Instant.now();
        Timestamp time = Timestamp.newBuilder()
                .setSeconds(now.getEpochSecond())
                .setNanos(now.getNano())
                .build();
        return Image.newBuilder()
                .setName(name)
                .setTarget(target.message())
                .setCreatedAt(time)
                .setUpdatedAt(time);
    }
}
