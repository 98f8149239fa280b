package io.faasimage.node.containerd.image;

import containerd.services.content.v1.ContentGrpc;
import containerd.services.content.v1.ContentOuterClass.InfoRequest;
import containerd.services.images.v1.ImagesGrpc;
import containerd.services.images.v1.ImagesOuterClass.Image;
import containerd.services.images.v1.ImagesOuterClass.ListImagesRequest;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.containerd.image.ContainerdCalls.Limit;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The repositories that the node's containerds have images from: by the names of their images, then by the labels of
 * their content stores, which do not say the registry's port. Both say where to ask, never what to believe.
 * Thread-safe.
 */
public final class ImageSources {
    /** Of content, before the registry; the value is its repositories there, separated by commas. */
    private static final String SOURCE = "containerd.io/distribution.source.";

    private static final String CONTENT = "containerd.io/gc.ref.content.";

    private static final int MOST_NOTED = 4096;

    private final List<ContainerdChannel> containerds;
    /** How clients name images that they pull; guarded by itself. */
    private final Map<Digest, ImageReference> noted = BoundedMap.lastUsed(MOST_NOTED);

    /** Searches in these containerds. */
    public ImageSources(List<ContainerdChannel> containerds) {
        this.containerds = List.copyOf(containerds);
    }

    /** Remembers the reference by which an image is pulled, which containerd knows only when it is complete. */
    void note(Digest manifest, String name) {
        reference(name).ifPresent(reference -> {
            synchronized (noted) {
                noted.put(manifest, reference.at(manifest));
            }
        });
    }

    /** The reference by which an image was pulled last, if the client said it. */
    public Optional<ImageReference> pulled(Digest manifest) {
        synchronized (noted) {
            return Optional.ofNullable(noted.get(manifest));
        }
    }

    /**
     * References by which the manifest may be had, in any namespace, the likeliest first.
     *
     * @throws IOException when there are none, and a containerd did not answer
     */
    public List<ImageReference> of(Digest manifest) throws IOException {
        Set<ImageReference> found = new LinkedHashSet<>();
        pulled(manifest).ifPresent(found::add);
        Set<ImageReference> labels = new LinkedHashSet<>();
        @Nullable IOException failure = null;
        for (ContainerdChannel containerd : containerds) {
            try {
                for (String namespace : ContainerdCalls.namespaces(containerd)) {
                    ContainerdCalls calls = new ContainerdCalls(containerd, namespace);
                    found.addAll(names(calls, manifest));
                    labels.addAll(labelled(labels(calls, manifest.toString()), manifest));
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        found.addAll(labels);
        if (found.isEmpty() && failure != null) {
            throw failure;
        }
        return List.copyOf(found);
    }

    private static List<ImageReference> names(ContainerdCalls calls, Digest manifest) throws IOException {
        List<ImageReference> found = new ArrayList<>();
        List<Image> images = calls.call(
                        "list images",
                        () -> calls.stub(ImagesGrpc::newBlockingStub, Limit.USUAL)
                                .list(ListImagesRequest.getDefaultInstance()))
                .getImagesList();
        for (Image image : images) {
            String target = image.getTarget().getDigest();
            if (target.equals(manifest.toString()) || isPartOf(labels(calls, target), manifest)) {
                reference(image.getName()).map(name -> name.at(manifest)).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Whether the content with these labels is an index that has the manifest. */
    private static boolean isPartOf(Map<String, String> labels, Digest manifest) {
        return labels.entrySet().stream()
                .anyMatch(label ->
                        label.getKey().startsWith(CONTENT) && label.getValue().equals(manifest.toString()));
    }

    private static Map<String, String> labels(ContainerdCalls calls, String content) throws IOException {
        return calls.unless(
                        Status.Code.NOT_FOUND,
                        "look up " + content,
                        () -> calls.stub(ContentGrpc::newBlockingStub, Limit.USUAL)
                                .info(InfoRequest.newBuilder()
                                        .setDigest(content)
                                        .build()))
                .map(answer -> answer.getInfo().getLabelsMap())
                .orElse(Map.of());
    }

    static List<ImageReference> labelled(Map<String, String> labels, Digest manifest) {
        List<ImageReference> references = new ArrayList<>();
        labels.forEach((label, repositories) -> {
            if (label.startsWith(SOURCE)) {
                for (String repository : repositories.split(",")) {
                    reference(label.substring(SOURCE.length()) + "/" + repository + "@" + manifest)
                            .ifPresent(references::add);
                }
            }
        });
        return references;
    }

    /** Empty for a name that is none, such as the image IDs by which CRI names images, too. */
    private static Optional<ImageReference> reference(String name) {
        if (!name.contains("/")) {
            return Optional.empty();
        }
        try {
            return Optional.of(ImageReference.parse(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
