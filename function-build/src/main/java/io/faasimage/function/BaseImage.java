package io.faasimage.function;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Credential;
import com.google.cloud.tools.jib.api.CredentialRetriever;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.event.EventHandlers;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import com.google.cloud.tools.jib.http.FailoverHttpClient;
import com.google.cloud.tools.jib.registry.RegistryAliasGroup;
import com.google.cloud.tools.jib.registry.RegistryClient;
import com.google.cloud.tools.jib.registry.credentials.CredentialRetrievalException;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * A base image, whose tag was looked up once: {@code digest} pins its content. It is of a registry, or an archive of
 * {@code docker save} whose path follows {@code tar://}.
 *
 * @param reference with the digest, or the archive's path
 * @param digest of the manifest or index, or of the archive
 * @param isPlain whether the registry is on a loopback address, where HTTP without TLS is permitted
 */
record BaseImage(String reference, Digest digest, boolean isPlain) {
    private static final String ARCHIVE = Jib.TAR_IMAGE_PREFIX;

    /** Looks an image up. */
    static BaseImage resolve(String image) throws IOException {
        try {
            if (image.startsWith(ARCHIVE)) {
                MessageDigest sha256 = Digest.newSha256();
                try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), sha256)) {
                    Files.copy(Path.of(image.substring(ARCHIVE.length())), out);
                }
                return new BaseImage(image, Digest.ofBytes(sha256.digest()), false);
            }
            ImageReference named = ImageReference.parse(image);
            boolean plain = isLoopback(image);
            Digest digest = digest(named, plain);
            return new BaseImage(
                    ImageReference.of(named.getRegistry(), named.getRepository(), null, digest.toString())
                            .toString(),
                    digest,
                    plain);
        } catch (InvalidImageReferenceException
                | RegistryException
                | CredentialRetrievalException
                | IllegalArgumentException
                | IOException e) {
            throw new IOException("could not get the base image " + image + ": " + reason(e), e);
        }
    }

    private static Digest digest(ImageReference image, boolean plain)
            throws IOException, RegistryException, CredentialRetrievalException {
        FailoverHttpClient http = new FailoverHttpClient(plain, plain, event -> {});
        try {
            RegistryClient.Factory factory = RegistryClient.factory(
                            EventHandlers.NONE,
                            RegistryAliasGroup.getHost(image.getRegistry()),
                            image.getRepository(),
                            http)
                    .setUserAgent("faasimage");
            Optional<Credential> credential = Optional.empty();
            for (CredentialRetriever retriever : logins(image)) {
                credential = credential.isPresent() ? credential : retriever.retrieve();
            }
            credential.ifPresent(factory::setCredential);
            RegistryClient client = factory.newRegistryClient();
            if (!client.doPullBearerAuth() && credential.isPresent()) {
                client.configureBasicAuth();
            }
            return new Digest(
                    client.pullManifest(image.getQualifier()).getDigest().getHash());
        } finally {
            http.shutDown();
        }
    }

    /** Docker's configuration and credential helpers. */
    private static List<CredentialRetriever> logins(ImageReference image) {
        CredentialRetrieverFactory factory = CredentialRetrieverFactory.forImage(image, event -> {});
        return List.of(factory.dockerConfig(), factory.wellKnownCredentialHelpers());
    }

    static RegistryImage withLogins(ImageReference image) {
        RegistryImage registry = RegistryImage.named(image);
        logins(image).forEach(registry::addCredentialRetriever);
        return registry;
    }

    /** Whether the registry of an image is on a loopback address. */
    static boolean isLoopback(String image) {
        return io.faasimage.format.id.ImageReference.parse(image).isLoopback();
    }

    /** An image that has this one's layers. */
    JibContainerBuilder builder() throws IOException {
        try {
            JibContainerBuilder builder = reference.startsWith(ARCHIVE)
                    ? Jib.from(TarImage.at(Path.of(reference.substring(ARCHIVE.length()))))
                    : Jib.from(withLogins(ImageReference.parse(reference)));
            String machine = System.getProperty("os.arch", "amd64");
            return builder.setFormat(ImageFormat.OCI)
                    .setPlatforms(Set.of(new Platform(machine.equals("aarch64") ? "arm64" : machine, "linux")));
        } catch (InvalidImageReferenceException e) {
            throw new IOException("not an image: " + reference, e);
        }
    }

    /** Has jib make an image; a failure says why. */
    static JibContainer make(JibContainerBuilder image, Containerizer to, String what) throws IOException {
        try {
            return image.containerize(to.setToolName("faasimage").setToolVersion("build"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while it " + what);
        } catch (ExecutionException e) {
            throw new IOException(what + " failed: " + reason(e.getCause() instanceof Exception cause ? cause : e), e);
        } catch (RegistryException | IOException | CacheDirectoryCreationException e) {
            throw new IOException(what + " failed: " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
