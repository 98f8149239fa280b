package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.DescriptorDigest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageDocument.Fetched;
import io.faasimage.refactor.stream.ReadAhead;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.util.Optional;

/**
 * An image in an OCI registry, by jib's registry client.
 *
 * <p>jib pulls a blob into an output stream; a virtual thread does so and the reader of the layer gets its output.
 */
final class RegistrySource implements ImageSource, Resolver.Documents {
    private static final System.Logger LOG = System.getLogger(RegistrySource.class.getName());

    private final ImageReference reference;
    private final SourceOptions options;
    private final RegistryFailures failures;
    private final RegistryConnection connection;

    RegistrySource(ImageReference reference, SourceOptions options) {
        this.reference = reference;
        this.options = options;
        this.connection = new RegistryConnection(reference, options);
        this.failures = connection.failures();
    }

    @Override
    public ResolvedImage resolve(Platform platform) throws IOException {
        Fetched root = pullManifest(reference.qualifier());
        if (reference.digest().isPresent() && !reference.digest().get().equals(root.digest())) {
            throw mismatch(reference.digest().get(), root.digest());
        }
        return new Resolver(new ImageLocation.Remote(reference), this, options.budget()).resolve(root, platform);
    }

    @Override
    public Fetched document(Digest digest, long size) throws IOException {
        Fetched document = pullManifest(digest.toString());
        if (!document.digest().equals(digest)) {
            throw mismatch(digest, document.digest());
        }
        return document;
    }

    @Override
    public String configuration(Digest digest, long size) throws IOException {
        if (size > options.budget().documentBytes()) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the configuration of " + reference + " has " + size + " bytes, the limit is "
                            + options.budget().documentBytes() + ImageBudget.raise("document"));
        }
        return failures.retrying("pull the configuration of", options.attempts(), () -> {
            BoundedOutput bytes = new BoundedOutput(
                    "the configuration of " + reference, options.budget().documentBytes());
            pull(digest, bytes);
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        });
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) throws IOException {
        connection.client();
        InputStream blob = ReadAhead.start(
                out -> failures.mapping("pull layer " + layer.digest() + " of", () -> {
                    pull(layer.digest(), out);
                    return layer;
                }),
                Thread.ofVirtual()
                        .name("pull-" + layer.digest().hex().substring(0, 12))
                        .factory());
        return new VerifyingStream(blob, "layer " + layer.digest() + " of " + reference, layer.digest(), layer.size());
    }

    @Override
    public Optional<byte[]> range(LayerDescriptor layer, long offset, int length) throws IOException {
        try {
            return connection.ranges().read(layer.digest(), offset, length);
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            LOG.log(
                    System.Logger.Level.INFO,
                    "layer {0} of {1} is read again, a range of it could not be fetched: {2}",
                    layer.digest(),
                    reference,
                    e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** A manifest or index, by its tag or digest. */
    private Fetched pullManifest(String qualifier) throws IOException {
        return failures.retrying("pull the manifest of", options.attempts(), () -> {
            try {
                connection.client().pullManifest(qualifier);
            } catch (BoundedManifests.Manifest manifest) {
                byte[] bytes = manifest.bytes();
                return new Fetched(Digest.of(bytes), new String(bytes, StandardCharsets.UTF_8));
            }
            throw new IllegalStateException("jib has a manifest of its own");
        });
    }

    private void pull(Digest digest, OutputStream out) throws IOException {
        String what = digest + " of " + reference;
        PacedOutput paced = new PacedOutput(out, what, options.budget().bytesPerSecond(), System::nanoTime);
        SilentStart start = new SilentStart(paced, what, SilentStart.LIMIT);
        try {
            connection
                    .client()
                    .pullBlob(DescriptorDigest.fromHash(digest.hex()), size -> {}, bytes -> {})
                    .writeTo(start);
        } catch (DigestException e) {
            throw new IllegalStateException("a digest is a digest: " + digest, e);
        } catch (IOException e) {
            throw start.failure(e);
        } finally {
            start.end();
        }
    }

    private RefactorException mismatch(Digest asked, Digest got) {
        return new RefactorException(
                Kind.DIGEST_MISMATCH,
                "the registry answered manifest " + got + " when asked for " + reference + " " + asked);
    }
}
