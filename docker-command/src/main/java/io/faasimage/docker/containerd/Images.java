package io.faasimage.docker.containerd;

import containerd.services.content.v1.ContentGrpc;
import containerd.services.content.v1.ContentOuterClass.ReadContentRequest;
import containerd.services.content.v1.ContentOuterClass.ReadContentResponse;
import containerd.services.images.v1.ImagesGrpc;
import containerd.services.images.v1.ImagesOuterClass.GetImageRequest;
import io.faasimage.format.id.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Image records and their documents. Thread-safe; every call is bounded in time and size. */
public final class Images {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LARGEST_DOCUMENT = 8 << 20;

    private final ContainerdChannel containerd;

    /** Images in the channel's namespace. */
    public Images(ContainerdChannel containerd) {
        this.containerd = containerd;
    }

    /** The digest that the image's name stands for; empty when it is not here. */
    public Optional<Digest> target(String name) throws ContainerdException {
        return containerd
                .find(
                        "look up image " + name,
                        () -> ImagesGrpc.newBlockingStub(containerd.channel())
                                .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS)
                                .get(GetImageRequest.newBuilder().setName(name).build()))
                .map(answer -> Digest.parse(answer.getImage().getTarget().getDigest()));
    }

    /** A document of the content store. */
    public byte[] read(Digest digest) throws IOException {
        ReadContentRequest request =
                ReadContentRequest.newBuilder().setDigest(digest.toString()).build();
        return containerd.call("read " + digest, () -> {
            Iterator<ReadContentResponse> answers = ContentGrpc.newBlockingStub(containerd.channel())
                    .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .read(request);
            ByteArrayOutputStream document = new ByteArrayOutputStream();
            while (answers.hasNext()) {
                document.writeBytes(answers.next().getData().toByteArray());
                if (document.size() > LARGEST_DOCUMENT) {
                    throw io.grpc.Status.OUT_OF_RANGE
                            .withDescription("the document has more than " + LARGEST_DOCUMENT + " bytes")
                            .asException();
                }
            }
            return document.toByteArray();
        });
    }
}
