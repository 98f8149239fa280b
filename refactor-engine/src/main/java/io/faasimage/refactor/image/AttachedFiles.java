package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.Optional;

/**
 * The small files of an image's repository that are kept beside images, such as their signatures. What is not there is
 * empty; a registry that does not answer, or refuses, is an exception. Thread-safe.
 */
public interface AttachedFiles {
    /**
     * A manifest or index.
     *
     * @param digest of its bytes
     * @param json as the registry sent it, not parsed
     */
    record Document(Digest digest, String json) {}

    /** The manifest or index of a tag. */
    Optional<Document> tagged(String tag) throws IOException;

    /** The manifest of a digest, verified. */
    Optional<Document> manifest(Digest digest) throws IOException;

    /**
     * The index of manifests that refer to a manifest or index: by the referrers API, or by the tag that stands for it
     * at registries without one (OCI distribution specification 1.1). Only its first page.
     */
    Optional<Document> referrers(Digest subject, String artifactType) throws IOException;

    /**
     * A blob, verified.
     *
     * @throws io.faasimage.refactor.fault.RefactorException when it has more than {@code limit} bytes
     */
    Optional<byte[]> blob(Digest digest, int limit) throws IOException;
}
