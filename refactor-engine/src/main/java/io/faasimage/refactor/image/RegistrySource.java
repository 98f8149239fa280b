package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciRegistry;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageDocument.Fetched;
import io.faasimage.refactor.stream.ReadAhead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * An image in an OCI registry. A virtual thread pulls a blob ahead of its reader, and ends with it: sockets of virtual
 * threads close when these are interrupted.
 */
final class RegistrySource implements ImageSource, Resolver.Documents {
    private static final System.Logger LOG = System.getLogger(RegistrySource.class.getName());

    private final ImageReference reference;
    private final ImageBudget budget;
    private final OciRegistry registry;

    private interface Request<T> {
        T run() throws IOException;
    }

    RegistrySource(ImageReference reference, SourceOptions options) {
        this.reference = reference;
        this.budget = options.budget();
        this.registry = new OciRegistry(options.registry());
    }

    @Override
    public ResolvedImage resolve(Platform platform) throws IOException {
        return new Resolver(new ImageLocation.Remote(reference), this, budget).resolve(manifest(reference), platform);
    }

    @Override
    public List<Platform> platforms() throws IOException {
        return new Resolver(new ImageLocation.Remote(reference), this, budget).platforms(manifest(reference));
    }

    @Override
    public Fetched document(Digest digest, long size) throws IOException {
        return manifest(reference.at(digest));
    }

    private Fetched manifest(ImageReference named) throws IOException {
        OciRegistry.Manifest manifest = mapping(() -> registry.manifest(named, budget.documentBytes()));
        return new Fetched(manifest.digest(), new String(manifest.bytes(), StandardCharsets.UTF_8));
    }

    @Override
    public String configuration(Digest digest, long size) throws IOException {
        byte[] bytes = mapping(() -> registry.blob(reference, digest, budget.documentBytes()));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) throws IOException {
        InputStream blob = ReadAhead.start(
                out -> mapping(() -> {
                    try (InputStream in = registry.open(reference, layer.digest())) {
                        return in.transferTo(out);
                    }
                }),
                Thread.ofVirtual()
                        .name("pull-" + layer.digest().hex().substring(0, 12))
                        .factory());
        return new VerifyingStream(blob, "layer " + layer.digest() + " of " + reference, layer.digest(), layer.size());
    }

    @Override
    public Optional<byte[]> range(LayerDescriptor layer, long offset, int length) throws IOException {
        try {
            return registry.range(reference, layer.digest(), offset, length);
        } catch (OciException e) {
            if (e.kind() == OciException.Kind.CANCELLED) {
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

    private static <T> T mapping(Request<T> request) throws IOException {
        try {
            return request.run();
        } catch (OciException e) {
            throw new RefactorException(kind(e.kind()), String.valueOf(e.getMessage()), e);
        }
    }

    private static Kind kind(OciException.Kind kind) {
        return switch (kind) {
            case REFUSED -> Kind.BAD_REQUEST;
            case NOT_FOUND -> Kind.NOT_FOUND;
            case UNAUTHORIZED -> Kind.UNAUTHORIZED;
            case UNAVAILABLE -> Kind.UNAVAILABLE;
            case SLOW -> Kind.SLOW;
            case MISMATCH -> Kind.DIGEST_MISMATCH;
            case UNTRUSTED, INVALID -> Kind.INVALID;
            case LIMIT -> Kind.LIMIT;
            case CANCELLED -> Kind.CANCELLED;
        };
    }

    @Override
    public void close() {
        registry.close();
    }
}
