package io.faasimage.node.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.image.ImageDocuments.Document;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;

/**
 * A small client of OCI registries: manifests and blobs, anonymous, Basic or with a bearer token. Blocking,
 * thread-safe.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/main/spec.md">the distribution
 *     specification</a>
 */
public final class OciRegistry implements AutoCloseable {
    private static final int MAX_DOCUMENT_BYTES = 8 << 20;
    private static final String MANIFESTS = String.join(
            ",",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json",
            "application/vnd.docker.distribution.manifest.v2+json");
    private static final Duration STALL = Duration.ofSeconds(20);

    private final RegistryHttp http;
    private final RegistryAuthorizations authorizations;

    /**
     * A client.
     *
     * @param plainHttp hosts (with port) that are spoken to without TLS
     * @param tls whom TLS trusts; the JVM's own authorities when empty
     */
    public OciRegistry(RegistryCredentials credentials, Set<String> plainHttp, Optional<SSLContext> tls) {
        this(credentials, new RegistryHttp(plainHttp, tls, STALL));
    }

    OciRegistry(RegistryCredentials credentials, RegistryHttp http) {
        this.http = http;
        this.authorizations = new RegistryAuthorizations(credentials, http);
    }

    /** Fetches the image's documents, each checked against its digest. */
    public ImageDocuments resolve(ImageReference reference) throws IOException {
        Document root = manifest(reference, reference.qualifier(), reference.digest());
        JsonNode json = root.json();
        Document manifest = root;
        if (json.has("manifests")) {
            Descriptor chosen = ImageDocuments.choose(json)
                    .orElseThrow(() ->
                            new IOException(reference + " has no image for linux/" + ImageDocuments.architecture()));
            manifest = manifest(reference, chosen.digest().toString(), Optional.of(chosen.digest()));
            json = manifest.json();
        }
        Descriptor config = Descriptor.of(json.path("config"));
        byte[] bytes;
        try (InputStream in = blob(reference, config.digest())) {
            bytes = in.readNBytes(MAX_DOCUMENT_BYTES);
        }
        Document configDocument = new Document(config, checked(bytes, config.digest()));
        try {
            return new ImageDocuments(
                    root,
                    manifest,
                    configDocument,
                    ImageDocuments.layersOf(json),
                    ImageDocuments.chainsOf(configDocument.json()));
        } catch (IllegalArgumentException e) {
            throw new IOException(reference + " cannot be used: " + e.getMessage(), e);
        }
    }

    private Document manifest(ImageReference reference, String name, Optional<Digest> expected) throws IOException {
        HttpResponse<InputStream> response = get(reference, "manifests/" + name, MANIFESTS);
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(MAX_DOCUMENT_BYTES);
            Digest digest = Digest.of(bytes);
            if (expected.isPresent()) {
                checked(bytes, expected.get());
            }
            String header =
                    response.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
            Document document = new Document(new Descriptor(header, digest, bytes.length), bytes);
            String own = document.json().path("mediaType").asString(header);
            return new Document(new Descriptor(own, digest, bytes.length), bytes);
        }
    }

    private static byte[] checked(byte[] bytes, Digest expected) throws IOException {
        if (!Digest.of(bytes).equals(expected)) {
            throw new IOException("the OCI registry sent something else as " + expected + "; its copy may be damaged");
        }
        return bytes;
    }

    /** Opens a blob; the caller verifies and closes. */
    public InputStream blob(ImageReference reference, Digest digest) throws IOException {
        return get(reference, "blobs/" + digest, "*/*").body();
    }

    private HttpResponse<InputStream> get(ImageReference reference, String path, String accept) throws IOException {
        HttpResponse<InputStream> response = http.get(reference, path, accept, authorizations.known(reference));
        if (isRefused(response)) {
            response.body().close();
            response = again(reference, path, accept, response);
        }
        if (response.statusCode() == 200) {
            return response;
        }
        response.body().close();
        throw new IOException("could not get " + path + " of " + reference + ": the OCI registry answered "
                + response.statusCode() + remedy(response.statusCode(), reference));
    }

    private static boolean isRefused(HttpResponse<?> response) {
        return response.statusCode() == 401 || response.statusCode() == 403;
    }

    /** Once more with a new authorization. Some registries answer an expired one with 403 and without a challenge. */
    private HttpResponse<InputStream> again(
            ImageReference reference, String path, String accept, HttpResponse<InputStream> refused)
            throws IOException {
        HttpResponse<InputStream> challenged = refused;
        if (challenge(refused).isEmpty()) {
            challenged = http.get(reference, path, accept, null);
            if (challenge(challenged).isEmpty()) {
                return challenged;
            }
            challenged.body().close();
        }
        String authorization =
                authorizations.renew(reference, challenge(challenged).get());
        return http.get(reference, path, accept, authorization);
    }

    private static Optional<String> challenge(HttpResponse<?> response) {
        return isRefused(response) ? response.headers().firstValue("WWW-Authenticate") : Optional.empty();
    }

    private static String remedy(int status, ImageReference reference) {
        return switch (status) {
            case 401, 403 -> "; " + RegistryAuthorizations.remedy(reference);
            case 404 -> "; is the name right, and has the image been pushed?";
            default -> "";
        };
    }

    @Override
    public void close() {
        http.close();
    }
}
