package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.blob.Blobs;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * A repository of an OCI registry that an image is pushed to, by jib's registry client. Thread-safe. Failures are
 * {@link io.faasimage.refactor.fault.RefactorException}s.
 */
public final class ImageTarget implements Closeable {
    private final ImageReference reference;
    private final SourceOptions options;
    private final RegistryConnection connection;

    /** Opens the content of a blob, again at each attempt. */
    @FunctionalInterface
    public interface Content {
        /** The bytes from the beginning. */
        InputStream open() throws IOException;
    }

    /** The target {@code reference}; nothing is sent yet. */
    public ImageTarget(ImageReference reference, SourceOptions options) {
        this.reference = reference;
        this.options = options;
        this.connection = new RegistryConnection(reference, options, RegistryConnection.Use.PUSH);
    }

    /**
     * Sees to it that the repository has a blob: it is sent unless it is there, or the registry takes it from another
     * repository of its own.
     *
     * @param mountFrom a repository of this registry that has the blob
     */
    public void put(Digest digest, Content content, Optional<String> mountFrom) throws IOException {
        connection.failures().retrying("push blob " + digest + " to", options.attempts(), () -> {
            boolean there =
                    connection.client().checkBlob(PushedManifest.of(digest)).isPresent();
            if (!there) {
                connection
                        .client()
                        .pushBlob(
                                PushedManifest.of(digest),
                                Blobs.from(
                                        out -> {
                                            try (InputStream in = content.open()) {
                                                in.transferTo(out);
                                            }
                                        },
                                        true),
                                mountFrom.orElse(null),
                                sent -> {});
            }
            return digest;
        });
    }

    /** Pushes a manifest under the reference's tag; its digest. */
    public Digest push(PushedManifest manifest) throws IOException {
        return new Digest(connection
                .failures()
                .retrying(
                        "push the manifest of",
                        options.attempts(),
                        () -> connection.client().pushManifest(manifest.template(), reference.qualifier()))
                .getHash());
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
