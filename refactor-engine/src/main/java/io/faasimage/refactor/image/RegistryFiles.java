package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageDocument.Fetched;
import java.io.IOException;
import java.util.Optional;

/** The attached files of a repository at a registry, by the connection of an image's source. */
final class RegistryFiles implements AttachedFiles {
    private final RegistrySource source;

    RegistryFiles(RegistrySource source) {
        this.source = source;
    }

    private interface Read<T> {
        T run() throws IOException;
    }

    private static <T> Optional<T> present(Read<T> read) throws IOException {
        try {
            return Optional.of(read.run());
        } catch (RefactorException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Document document(Fetched fetched) {
        return new Document(fetched.digest(), fetched.json());
    }

    @Override
    public Optional<Document> tagged(String tag) throws IOException {
        return present(() -> document(source.pullManifest(tag)));
    }

    @Override
    public Optional<Document> manifest(Digest digest) throws IOException {
        return present(() -> document(source.document(digest, 0)));
    }

    @Override
    public Optional<Document> referrers(Digest subject, String artifactType) throws IOException {
        try {
            return Optional.of(document(source.pullManifest(
                    BoundedManifests.REFERRERS + subject + "?artifactType=" + artifactType.replace("+", "%2B"))));
        } catch (RefactorException e) {
            // Registries without the API answer 404, and some 400 or 405.
            if (e.kind() != Kind.NOT_FOUND && e.kind() != Kind.INVALID) {
                throw e;
            }
        }
        return tagged("sha256-" + subject.hex());
    }

    @Override
    public Optional<byte[]> blob(Digest digest, int limit) throws IOException {
        return present(() -> source.bytes("the attached file " + digest, digest, limit));
    }
}
