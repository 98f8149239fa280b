package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.Credential;
import com.google.cloud.tools.jib.api.DescriptorDigest;
import com.google.cloud.tools.jib.event.EventHandlers;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import com.google.cloud.tools.jib.http.FailoverHttpClient;
import com.google.cloud.tools.jib.registry.RegistryAliasGroup;
import com.google.cloud.tools.jib.registry.RegistryClient;
import com.google.cloud.tools.jib.registry.credentials.CredentialRetrievalException;
import io.faasimage.format.id.Digest;
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
import org.jspecify.annotations.Nullable;

/**
 * An image in an OCI registry, by jib's registry client.
 *
 * <p>jib pulls a blob into an output stream; a virtual thread does so and the reader of the layer gets what it writes.
 * The client is made and logged in at the first request; guarded by this object's monitor.
 */
final class RegistrySource implements ImageSource, Resolver.Documents {
    private static final System.Logger LOG = System.getLogger(RegistrySource.class.getName());

    private final ImageReference.Remote reference;
    private final SourceOptions options;
    private final RegistryFailures failures;
    private final FailoverHttpClient http;
    private @Nullable RegistryClient client;

    RegistrySource(ImageReference.Remote reference, SourceOptions options) {
        this.reference = reference;
        this.options = options;
        this.failures = new RegistryFailures(reference);
        boolean plain = options.insecure() || reference.isLoopback();
        this.http = new BoundedManifests(
                plain, options.maxManifestBytes(), event -> LOG.log(System.Logger.Level.DEBUG, event::getMessage));
    }

    @Override
    public ResolvedImage resolve(Platform platform) throws IOException {
        Fetched root = pullManifest(reference.qualifier());
        if (reference.digest().isPresent() && !reference.digest().get().equals(root.digest())) {
            throw mismatch(reference.digest().get(), root.digest());
        }
        return new Resolver(reference, this).resolve(root, platform);
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
        if (size > options.maxManifestBytes()) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the configuration of " + reference + " has " + size + " bytes, the limit is "
                            + options.maxManifestBytes());
        }
        return failures.retrying("pull the configuration of", options.attempts(), () -> {
            BoundedOutput bytes = new BoundedOutput("the configuration of " + reference, options.maxManifestBytes());
            pull(digest, bytes);
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        });
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) throws IOException {
        client();
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
    public boolean vouchesFor(LayerDescriptor layer) throws IOException {
        return failures.retrying("look for layer " + layer.digest() + " of", options.attempts(), () -> {
            try {
                return client().checkBlob(
                                DescriptorDigest.fromHash(layer.digest().hex()))
                        .isPresent();
            } catch (DigestException e) {
                throw new IllegalStateException("a digest is a digest: " + layer.digest(), e);
            }
        });
    }

    @Override
    public void close() throws IOException {
        http.shutDown();
    }

    private Fetched pullManifest(String qualifier) throws IOException {
        return failures.retrying("pull the manifest of", options.attempts(), () -> {
            try {
                client().pullManifest(qualifier);
            } catch (BoundedManifests.Manifest manifest) {
                byte[] bytes = manifest.bytes();
                return new Fetched(Digest.of(bytes), new String(bytes, StandardCharsets.UTF_8));
            }
            throw new IllegalStateException("jib has a manifest of its own");
        });
    }

    private void pull(Digest digest, OutputStream out) throws IOException {
        try {
            client().pullBlob(DescriptorDigest.fromHash(digest.hex()), size -> {}, bytes -> {})
                    .writeTo(out);
        } catch (DigestException e) {
            throw new IllegalStateException("a digest is a digest: " + digest, e);
        }
    }

    private synchronized RegistryClient client() throws IOException {
        if (client != null) {
            return client;
        }
        String host = RegistryAliasGroup.getHost(reference.registry());
        if (!options.insecure() && !reference.isLoopback()) {
            RegistryTrust.check(reference, host);
        }
        RegistryClient.Factory factory = RegistryClient.factory(EventHandlers.NONE, host, reference.repository(), http)
                .setUserAgent("faasimage");
        Optional<Credential> credential = credential();
        credential.ifPresent(factory::setCredential);
        RegistryClient made = factory.newRegistryClient();
        failures.retrying("log in for", options.attempts(), () -> {
            if (!made.doPullBearerAuth() && credential.isPresent()) {
                made.configureBasicAuth();
            }
            return made;
        });
        client = made;
        return made;
    }

    private Optional<Credential> credential() {
        if (options.credential().isPresent()) {
            SourceOptions.UserPassword given = options.credential().get();
            return Optional.of(Credential.from(given.user(), given.password()));
        }
        CredentialRetrieverFactory factory = CredentialRetrieverFactory.forImage(
                com.google.cloud.tools.jib.api.ImageReference.of(
                        reference.registry(), reference.repository(), "latest"),
                event -> LOG.log(System.Logger.Level.DEBUG, event::getMessage));
        try {
            return options.dockerConfig().isPresent()
                    ? factory.dockerConfig(options.dockerConfig().get()).retrieve()
                    : factory.dockerConfig().retrieve();
        } catch (CredentialRetrievalException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "no credentials for {0}, going on without: {1}",
                    reference.registry(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private RefactorException mismatch(Digest asked, Digest got) {
        return new RefactorException(
                Kind.DIGEST_MISMATCH,
                "the registry answered manifest " + got + " when asked for " + reference + " " + asked);
    }
}
