package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.client.MinimumRate;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A client of OCI registries: manifests, blobs and ranges; anonymous, by Basic authentication or by a bearer token.
 * Every answer is bounded in time and, but for an opened blob, in size. Blocking; thread-safe.
 */
public final class OciRegistry implements AutoCloseable {
    private static final String MANIFESTS = String.join(
            ",",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json",
            "application/vnd.docker.distribution.manifest.v2+json");
    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final int MAX_ERROR_BYTES = 64 << 10;

    /** The error codes of the specification. */
    private static final Pattern CODE = Pattern.compile("\\b(?:BLOB_UNKNOWN|BLOB_UPLOAD_INVALID|BLOB_UPLOAD_UNKNOWN"
            + "|DIGEST_INVALID|MANIFEST_BLOB_UNKNOWN|MANIFEST_INVALID|MANIFEST_UNKNOWN|NAME_INVALID|NAME_UNKNOWN"
            + "|SIZE_INVALID|UNAUTHORIZED|DENIED|UNSUPPORTED|TOOMANYREQUESTS)\\b");

    private final Options options;
    private final OciHttp http;
    private final Authorizations authorizations;

    /**
     * The options of a client.
     *
     * @param tls the authorities that TLS trusts; the JVM's own when empty
     * @param answer the longest time from a request to the answer's headers; with redirects twice that
     * @param silence the longest time in which a body delivers nothing
     * @param rate the minimum rate of a body
     * @param attempts how often a document is requested from a registry that is unavailable
     */
    public record Options(
            HostPolicy policy,
            RegistryLogins logins,
            Optional<SSLContext> tls,
            Duration answer,
            Duration silence,
            MinimumRate rate,
            int attempts) {}

    /**
     * A manifest or index.
     *
     * @param bytes not to be changed
     * @param digest of the bytes
     * @param mediaType as the registry says
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Manifest(byte[] bytes, Digest digest, String mediaType) {}

    private interface Request<T> {
        T run() throws IOException;
    }

    /** A client; it connects when it has something to request. */
    public OciRegistry(Options options) {
        this.options = options;
        this.http = new OciHttp(options);
        this.authorizations = new Authorizations(options.logins(), http);
    }

    /**
     * The manifest or index that a reference names, by its digest if it has one, which is verified.
     *
     * @param most bytes
     */
    public Manifest manifest(ImageReference reference, int most) throws OciException {
        String path = "manifests/" + reference.qualifier();
        return trying(reference, path, options.attempts(), () -> {
            try (Answer response = get(reference, path, Map.of("Accept", MANIFESTS))) {
                byte[] bytes = whole(response, most);
                Digest digest = Digest.of(bytes);
                if (reference.digest().isPresent()) {
                    check(reference.digest().get(), digest);
                }
                String type = response.header("Content-Type").orElse("").replaceFirst(";.*", "");
                return new Manifest(bytes, digest, type);
            }
        });
    }

    /** A small blob, verified. */
    public byte[] blob(ImageReference reference, Digest blob, int most) throws OciException {
        String path = "blobs/" + blob;
        return trying(reference, path, options.attempts(), () -> {
            try (Answer response = get(reference, path, Map.of())) {
                byte[] bytes = whole(response, most);
                check(blob, Digest.of(bytes));
                return bytes;
            }
        });
    }

    /** Opens a blob; the caller verifies and closes. */
    public InputStream open(ImageReference reference, Digest blob) throws OciException {
        String path = "blobs/" + blob;
        Answer response = trying(reference, path, 1, () -> get(reference, path, Map.of()));
        return new FilterInputStream(response.body()) {
            @Override
            public int read() throws IOException {
                return trying(reference, path, 1, super::read);
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return trying(reference, path, 1, () -> in.read(buffer, offset, length));
            }
        };
    }

    /** A range of a blob, not verified; empty when the registry does not give single ranges. */
    public Optional<byte[]> range(ImageReference reference, Digest blob, long offset, int length) throws OciException {
        String path = "blobs/" + blob;
        String range = offset + "-" + (offset + length - 1);
        return trying(reference, path, 1, () -> {
            try (Answer response = get(reference, path, Map.of("Range", "bytes=" + range))) {
                boolean given = response.status() == 206
                        && response.header("Content-Range")
                                .filter(text -> text.startsWith("bytes " + range + "/"))
                                .isPresent();
                // The body of any other answer may be the whole blob.
                byte[] bytes = given ? whole(response, length) : new byte[0];
                return bytes.length == length ? Optional.of(bytes) : Optional.empty();
            }
        });
    }

    /** Runs a request, again after a pause while the registry is unavailable. */
    private <T> T trying(ImageReference reference, String path, int attempts, Request<T> request) throws OciException {
        for (int attempt = 1; ; attempt++) {
            try {
                options.policy().checkAllowed(reference.registry());
                return request.run();
            } catch (RefusedHostException e) {
                throw failure(reference, path, new OciException(Kind.REFUSED, String.valueOf(e.getMessage()), e));
            } catch (IOException e) {
                OciException failure = OciException.at(reference.registry(), clear(e));
                if (failure.kind() != Kind.UNAVAILABLE || attempt >= attempts) {
                    throw failure(reference, path, failure);
                }
                pause(FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 6), reference, path, failure);
            }
        }
    }

    private IOException clear(IOException e) {
        boolean silent = e instanceof SocketTimeoutException;
        return silent
                ? new SocketTimeoutException(
                        "nothing arrived for " + options.silence().toMillis() + " ms")
                : e;
    }

    private OciException failure(ImageReference reference, String path, OciException e) {
        return new OciException(
                e.kind(),
                "could not get " + path + " of " + reference + ": " + e.getMessage()
                        + options.policy().remedy(e.kind(), reference.registry()),
                e);
    }

    private void pause(long millis, ImageReference reference, String path, OciException last) throws OciException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(
                    reference, path, new OciException(Kind.CANCELLED, "interrupted after: " + last.getMessage(), last));
        }
    }

    private static byte[] whole(Answer response, int most) throws IOException {
        byte[] bytes = response.body().readNBytes(most + 1);
        if (bytes.length > most) {
            throw new OciException(Kind.LIMIT, "it has more than the limit of " + most + " bytes");
        }
        return bytes;
    }

    private static void check(Digest expected, Digest actual) throws OciException {
        if (!actual.equals(expected)) {
            throw new OciException(
                    Kind.MISMATCH,
                    "the registry sent " + actual + " as " + expected
                            + "; its copy may be damaged, push the image again");
        }
    }

    private Answer get(ImageReference reference, String path, Map<String, String> headers) throws IOException {
        Answer response = http.get(reference, path, with(headers, authorizations.known(reference)));
        if (isRefused(response)) {
            OciHttp.drop(response);
            response = again(reference, path, headers, response);
        }
        int status = response.status();
        boolean noRange = status == 416 && headers.containsKey("Range");
        if (status / 100 == 2 || noRange) {
            return response;
        }
        throw new OciException(kind(status), "the OCI registry answered " + status + codes(response));
    }

    private static Map<String, String> with(Map<String, String> headers, @Nullable String authorization) {
        if (authorization == null) {
            return headers;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(OciHttp.AUTHORIZATION, authorization);
        return all;
    }

    private static boolean isRefused(Answer response) {
        return response.status() == 401 || response.status() == 403;
    }

    /** Once more with a new authorization. Some registries answer an expired one with 403 and without a challenge. */
    private Answer again(ImageReference reference, String path, Map<String, String> headers, Answer refused)
            throws IOException {
        Answer challenged = refused;
        if (challenge(refused).isEmpty()) {
            challenged = http.get(reference, path, headers);
            if (challenge(challenged).isEmpty()) {
                return challenged;
            }
            OciHttp.drop(challenged);
        }
        String authorization =
                authorizations.renew(reference, challenge(challenged).get());
        return http.get(reference, path, with(headers, authorization));
    }

    private static Optional<String> challenge(Answer response) {
        return isRefused(response) ? response.header("WWW-Authenticate") : Optional.empty();
    }

    private static Kind kind(int status) {
        return switch (status) {
            case 401, 403 -> Kind.UNAUTHORIZED;
            case 404 -> Kind.NOT_FOUND;
            case 408, 429 -> Kind.UNAVAILABLE;
            default -> status / 100 == 4 ? Kind.INVALID : Kind.UNAVAILABLE;
        };
    }

    private static String codes(Answer response) {
        try (InputStream body = response.body()) {
            String found = CODE.matcher(new String(body.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8))
                    .results()
                    .map(MatchResult::group)
                    .distinct()
                    .collect(Collectors.joining(", "));
            return found.isEmpty() ? "" : " (" + found + ")";
        } catch (IOException e) {
            // The status says enough.
            return "";
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
