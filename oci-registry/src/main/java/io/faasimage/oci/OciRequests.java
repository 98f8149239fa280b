package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.OciHttp.Landed;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests to repositories with what all of them need: a login when the registry wants one, attempts, and errors that
 * say what was tried. Blocking; thread-safe.
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
    private final Authorizations authorizations;

    /** One attempt. */
    interface Attempt<T> {
        T run() throws IOException;
    }

    OciRequests(OciRegistry.Options options) {
        this.options = options;
        this.http = new OciHttp(options);
        this.authorizations = new Authorizations(options.logins(), http);
    }

    OciHttp http() {
        return http;
    }

    /** The authorization that the repository accepted before. */
    @Nullable
    String known(ImageReference reference) {
        return authorizations.known(reference);
    }

    OciRegistry.Options options() {
        return options;
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

    private OciException failure(ImageReference reference, String what, OciException e) {
        return new OciException(
                e.kind(),
                "could not " + what + " of " + reference + ": " + e.getMessage()
                        + options.policy().remedy(e.kind(), reference.registry()),
                e);
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

    /** Gets what is there; also the answer that a requested range is not. */
    Answer get(ImageReference reference, String path, Map<String, String> headers) throws IOException {
        Answer response = send(reference, path, OciRequest.get(headers)).answer();
        int status = response.status();
        boolean noRange = status == 416 && headers.containsKey("Range");
        if (status / 100 == 2 || noRange) {
            return response;
        }
        throw refusal(response);
    }

    /** The answer to a request with a login if there must be one, whatever its status. */
    Landed send(ImageReference reference, String path, OciRequest request) throws IOException {
        Landed landed = http.send(reference, path, request.with(known(reference)));
        if (!isRefused(landed.answer())) {
            return landed;
        }
        OciHttp.drop(landed.answer());
        return again(reference, path, request, landed);
    }

    static boolean isRefused(Answer response) {
        return response.status() == 401 || response.status() == 403;
    }

    /** Once more with a new authorization. Some registries answer an expired one with 403 and without a challenge. */
    private Landed again(ImageReference reference, String path, OciRequest request, Landed refused) throws IOException {
        Landed challenged = refused;
        if (challenge(refused.answer()).isEmpty()) {
            challenged = http.send(reference, path, request);
            if (challenge(challenged.answer()).isEmpty()) {
                return challenged;
            }
            OciHttp.drop(challenged.answer());
        }
        String authorization =
                authorizations.renew(reference, challenge(challenged.answer()).get());
        return http.send(reference, path, request.with(authorization));
    }

    private static Optional<String> challenge(Answer response) {
        return isRefused(response) ? response.header("WWW-Authenticate") : Optional.empty();
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
