package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.client.MinimumRate;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A client of OCI registries: manifests, blobs and ranges, artifacts of an image; anonymous, by Basic authentication or
 * by a bearer token. Every answer is bounded in time and, but for an opened blob, in size. Blocking; thread-safe.
 */
public final class OciRegistry implements AutoCloseable {
    /** The longest manifest or index that registries must take, and that this client takes of artifacts. */
    static final int MAX_MANIFEST_BYTES = 4 << 20;

    /** The type of an index of manifests. */
    static final String INDEX = "application/vnd.oci.image.index.v1+json";

    /** The type of the manifest of an image or an artifact. */
    static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    /** The types of what a tag or a digest may name. */
    static final String MANIFESTS = String.join(
            ",",
            INDEX,
            MANIFEST,
            "application/vnd.docker.distribution.manifest.list.v2+json",
            "application/vnd.docker.distribution.manifest.v2+json");

    private final OciRequests requests;
    private final BlobRanges ranges;
    private final ReferrerLookup referrers;

    /**
     * The options of a client.
     *
     * @param tls the authorities that TLS trusts; the JVM's own when empty
     * @param answer the longest time from a request to the answer's headers; with redirects twice that
     * @param silence the longest time in which a body delivers nothing
     * @param rate the minimum rate of a body
     * @param attempts how often a document is requested from a registry that is unavailable
     * @param mirrors hosts that are read before a registry itself
     */
    public record Options(
            HostPolicy policy,
            RegistryLogins logins,
            Optional<SSLContext> tls,
            Duration answer,
            Duration silence,
            MinimumRate rate,
            int attempts,
            Mirrors mirrors) {}

    /**
     * A manifest or index.
     *
     * @param bytes not to be changed
     * @param digest of the bytes
     * @param mediaType as the registry says
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Manifest(byte[] bytes, Digest digest, String mediaType) {}

    /** A client; it connects when it has something to request. */
    public OciRegistry(Options options) {
        this(options, InstantSource.system());
    }

    OciRegistry(Options options, InstantSource clock) {
        this.requests = new OciRequests(options);
        this.ranges = new BlobRanges(requests, clock);
        this.referrers = new ReferrerLookup(requests, clock);
    }

    OciRequests requests() {
        return requests;
    }

    /**
     * The manifest or index that a reference names, by its digest if it has one, which is verified.
     *
     * @param most bytes
     */
    public Manifest manifest(ImageReference reference, int most) throws OciException {
        String path = "manifests/" + reference.qualifier();
        return requests.reading(reference, path, requests.options().attempts(), host -> {
            try (Answer response = host.get(path, Map.of("Accept", MANIFESTS))) {
                byte[] bytes = OciRequests.whole(response, most);
                Digest digest = Digest.of(bytes);
                if (reference.digest().isPresent()) {
                    check(reference.digest().get(), digest);
                }
                String type = response.header("Content-Type").orElse("").replaceFirst(";.*", "");
                return new Manifest(bytes, digest, type);
            }
        });
    }

    /**
     * The artifacts of one type whose subject is a manifest: as the registry lists them, and for a registry without
     * such lists, as the index at the manifest's fall-back tag does.
     *
     * @param image with the manifest's digest
     * @throws OciException of kind {@code INVALID} when the list is damaged
     */
    public Referrers referrers(ImageReference image, String artifactType) throws OciException {
        return referrers.find(image, artifactType);
    }

    /** A small blob, verified. */
    public byte[] blob(ImageReference reference, Digest blob, int most) throws OciException {
        String path = "blobs/" + blob;
        return requests.reading(reference, path, requests.options().attempts(), host -> {
            try (Answer response = host.get(path, Map.of())) {
                byte[] bytes = OciRequests.whole(response, most);
                check(blob, Digest.of(bytes));
                return bytes;
            }
        });
    }

    /** Opens a blob; the caller verifies and closes. */
    public InputStream open(ImageReference reference, Digest blob) throws OciException {
        String path = "blobs/" + blob;
        return requests.opening(
                reference, path, host -> host.get(path, Map.of()).body());
    }

    /**
     * Opens a range of a blob by one request, usually at the storage to which the registry redirected the one before.
     * The stream has exactly these bytes, or fails; also from a registry that sends the whole blob. The caller verifies
     * and closes.
     *
     * @param from the first byte
     * @param to after the last byte, above {@code from}
     */
    public InputStream open(ImageReference reference, Digest blob, long from, long to) throws OciException {
        return ranges.open(reference, blob, from, to);
    }

    /** A range of a blob, not verified; empty when the registry does not give single ranges. */
    public Optional<byte[]> range(ImageReference reference, Digest blob, long offset, int length) throws OciException {
        String path = "blobs/" + blob;
        String range = offset + "-" + (offset + length - 1);
        return requests.reading(reference, path, 1, host -> {
            try (Answer response = host.get(path, Map.of("Range", "bytes=" + range))) {
                boolean given = response.status() == 206
                        && response.header("Content-Range")
                                .filter(text -> text.startsWith("bytes " + range + "/"))
                                .isPresent();
                // The body of any other answer may be the whole blob.
                byte[] bytes = given ? OciRequests.whole(response, length) : new byte[0];
                return bytes.length == length ? Optional.of(bytes) : Optional.empty();
            }
        });
    }

    private static void check(Digest expected, Digest actual) throws OciException {
        if (!actual.equals(expected)) {
            throw new OciException(
                    Kind.MISMATCH,
                    "the registry sent " + actual + " as " + expected
                            + "; its copy may be damaged, push the image again");
        }
    }

    @Override
    public void close() {
        requests.close();
    }
}
