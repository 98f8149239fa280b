package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/**
 * A writer of blobs and manifests to registries themselves, not to their mirrors, with the connections and logins of an
 * {@link OciRegistry}, which its owner closes. Everything is tried again while the registry is unavailable, as often as
 * that client's options say. A manifest is sent within the time of an answer, a blob at the minimum rate. Blocking;
 * thread-safe.
 */
public final class OciPush {
    private final OciRequests requests;

    /** The content of a blob. */
    @FunctionalInterface
    public interface Content {
        /** A stream of all of it; another one for each attempt. */
        InputStream open() throws IOException;
    }

    /** Writes with the logins of {@code registry}. */
    public OciPush(OciRegistry registry) {
        this.requests = registry.requests();
    }

    /**
     * Pushes a blob that the repository lacks.
     *
     * @param size of the content
     * @return whether it was sent; false when it was there
     * @throws OciException when the registry does not take it, or the content has another size
     * @throws IOException of the content
     */
    public boolean blob(ImageReference repository, Digest blob, long size, Content content) throws IOException {
        BlobUpload upload =
                new BlobUpload(blob, size, content, requests.options().silence());
        try {
            return requests.writing(repository, "push blobs/" + blob, upload::attempt);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Pushes a manifest or an index.
     *
     * @param reference its tag, or its digest
     * @return whether the registry will list it as a referrer of its subject
     */
    public boolean manifest(ImageReference reference, byte[] bytes, String mediaType) throws OciException {
        String path = "manifests/" + reference.qualifier();
        OciRequest put =
                new OciRequest("PUT", Map.of(), Optional.of(new ByteArrayEntity(bytes, ContentType.create(mediaType))));
        return requests.writing(reference, "push " + path, host -> {
            if (bytes.length > OciRegistry.MAX_MANIFEST_BYTES) {
                throw new OciException(
                        Kind.LIMIT,
                        "it has " + bytes.length + " bytes, and registries take " + OciRegistry.MAX_MANIFEST_BYTES);
            }
            try (Answer answer = host.send(path, put).answer()) {
                if (answer.status() / 100 != 2) {
                    throw refusal(answer.status(), OciRequests.codes(answer));
                }
                OciHttp.drop(answer);
                return answer.header("OCI-Subject").isPresent();
            }
        });
    }

    /**
     * Deletes a manifest or an index.
     *
     * @param reference its digest
     * @return false when there is none, or the registry does not delete
     */
    public boolean delete(ImageReference reference) throws OciException {
        if (reference.digest().isEmpty()) {
            throw new IllegalArgumentException(reference + " is without a digest");
        }
        String path = "manifests/" + reference.qualifier();
        return requests.writing(reference, "delete " + path, host -> {
            try (Answer answer =
                    host.send(path, OciRequest.of("DELETE", Map.of())).answer()) {
                int status = answer.status();
                if (status / 100 == 2) {
                    OciHttp.drop(answer);
                    return true;
                }
                String codes = OciRequests.codes(answer);
                if (status == 404 || status == 405 || (status == 400 && codes.contains("UNSUPPORTED"))) {
                    return false;
                }
                throw refusal(status, codes);
            }
        });
    }

    /** The refusal of a write; "not found" would be said of something else than the content that was sent. */
    static OciException refusal(int status, String codes) {
        OciException e = OciRequests.refusal(status, codes);
        return e.kind() == Kind.NOT_FOUND
                ? new OciException(Kind.INVALID, e.getMessage() + "; is there such a repository?", e)
                : e;
    }
}
