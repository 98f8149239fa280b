package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Requests to repositories with what all of them need: the hosts to send them to, attempts, and errors that say what
 * was tried. Blocking; thread-safe.
 */
final class OciRequests implements AutoCloseable {
    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final int MAX_ERROR_BYTES = 64 << 10;

    /** The error codes of the specification. */
    private static final Pattern CODE = Pattern.compile("\\b(?:BLOB_UNKNOWN|BLOB_UPLOAD_INVALID|BLOB_UPLOAD_UNKNOWN"
            + "|DIGEST_INVALID|MANIFEST_BLOB_UNKNOWN|MANIFEST_INVALID|MANIFEST_UNKNOWN|NAME_INVALID|NAME_UNKNOWN"
            + "|SIZE_INVALID|UNAUTHORIZED|DENIED|UNSUPPORTED|TOOMANYREQUESTS)\\b");

    private final OciRegistry.Options options;
    private final OciHttp http;
    private final HostOrder hosts;

    /** One attempt. */
    interface Attempt<T> {
        T run() throws IOException;
    }

    OciRequests(OciRegistry.Options options) {
        this.options = options;
        this.http = new OciHttp(options);
        Endpoint.Client origin = new Endpoint.Client(http, new Authorizations(options.logins(), http));
        this.hosts = new HostOrder(options, origin, this::clear, System::nanoTime);
    }

    OciRegistry.Options options() {
        return options;
    }

    HostOrder hosts() {
        return hosts;
    }

    /** Reads {@code path} of a repository at the mirrors and the registry. */
    <T> T reading(ImageReference reference, String path, int attempts, HostOrder.Exchange<T> read) throws OciException {
        return trying(reference, "get " + path, attempts, () -> hosts.read(reference, path, read));
    }

    /** Opens {@code path} of a repository at one of them, once; the failures of the body are reported, too. */
    InputStream opening(ImageReference reference, String path, HostOrder.Exchange<InputStream> open)
            throws OciException {
        InputStream body = reading(reference, path, 1, host -> hosts.body(host, open.at(host)));
        return new ReportedBody(body, e -> failure(reference, "get " + path, e));
    }

    /** Writes to the registry itself, not to its mirrors. */
    <T> T writing(ImageReference reference, String what, HostOrder.Exchange<T> write) throws OciException {
        return trying(reference, what, options.attempts(), () -> hosts.write(reference, write));
    }

    /**
     * Runs a request, again after a pause while the registry is unavailable.
     *
     * @param what is tried: an infinitive and its object, to which the message adds the image
     */
    <T> T trying(ImageReference reference, String what, int attempts, Attempt<T> attempt) throws OciException {
        for (int made = 1; ; made++) {
            try {
                options.policy().checkAllowed(reference.registry());
                return attempt.run();
            } catch (RefusedHostException e) {
                throw failure(reference, what, new OciException(Kind.REFUSED, String.valueOf(e.getMessage()), e));
            } catch (IOException e) {
                OciException failure = OciException.at(reference.registry(), clear(e));
                if (failure.kind() != Kind.UNAVAILABLE || made >= attempts) {
                    throw failure(reference, what, failure);
                }
                pause(FIRST_PAUSE_MILLIS << Math.min(made - 1, 6), reference, what, failure);
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

    private OciException failure(ImageReference reference, String what, IOException e) {
        OciException reason = OciException.at(reference.registry(), clear(e));
        return new OciException(
                reason.kind(),
                "could not " + what + " of " + reference + ": " + reason.getMessage()
                        + options.policy().remedy(reason.kind(), reference.registry()),
                reason);
    }

    private void pause(long millis, ImageReference reference, String what, OciException last) throws OciException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(
                    reference, what, new OciException(Kind.CANCELLED, "interrupted after: " + last.getMessage(), last));
        }
    }

    /** The whole body. */
    static byte[] whole(Answer response, int most) throws IOException {
        byte[] bytes = response.body().readNBytes(most + 1);
        if (bytes.length > most) {
            throw new OciException(Kind.LIMIT, "it has more than the limit of " + most + " bytes");
        }
        return bytes;
    }

    /** What an answer that does not help says; closes it. */
    static OciException refusal(Answer response) {
        return refusal(response.status(), codes(response));
    }

    static OciException refusal(int status, String codes) {
        return new OciException(
                kind(status), "the OCI registry answered " + status + (codes.isEmpty() ? "" : " (" + codes + ")"));
    }

    static Kind kind(int status) {
        return switch (status) {
            case 401, 403 -> Kind.UNAUTHORIZED;
            case 404 -> Kind.NOT_FOUND;
            case 408, 429 -> Kind.UNAVAILABLE;
            default -> status >= 500 ? Kind.UNAVAILABLE : Kind.INVALID;
        };
    }

    /** The error codes of an answer, which is closed. */
    static String codes(Answer response) {
        try (InputStream body = response.body()) {
            return CODE.matcher(new String(body.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8))
                    .results()
                    .map(MatchResult::group)
                    .distinct()
                    .collect(Collectors.joining(", "));
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
