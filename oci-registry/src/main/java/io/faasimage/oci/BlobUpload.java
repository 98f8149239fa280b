package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.Digest;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.OciHttp.Landed;
import io.faasimage.oci.OciPush.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An upload of one blob, in one piece, at a place that the registry names for it. Each attempt first asks whether the
 * blob is there: the one before may have arrived without an answer. For one thread.
 */
final class BlobUpload {
    /** A registry that refuses a longer body can say so before it is sent. */
    private static final long ANNOUNCED_BYTES = 1 << 20;

    private final Digest blob;
    private final long size;
    private final Content content;
    private final Duration silence;
    private boolean sent;

    /** Where to put the blob, and the login for that host. */
    private record Place(URI uri, @Nullable String authorization) {}

    private record Outcome(int status, String codes) {}

    /** @param silence the longest time in which the registry takes nothing */
    BlobUpload(Digest blob, long size, Content content, Duration silence) {
        this.blob = blob;
        this.size = size;
        this.content = content;
        this.silence = silence;
    }

    /**
     * One attempt.
     *
     * @return whether this upload has sent the blob
     * @throws UncheckedIOException of a failure of the content
     */
    boolean attempt(Endpoint host) throws IOException {
        if (isThere(host)) {
            return sent;
        }
        Outcome outcome = put(host, place(host));
        if (outcome.status() == 401 || outcome.status() == 403) {
            // The login was good for the first request, and is over; the next one makes a new one.
            outcome = put(host, place(host));
        }
        if (outcome.status() / 100 != 2) {
            throw OciPush.refusal(outcome.status(), outcome.codes());
        }
        return true;
    }

    private boolean isThere(Endpoint host) throws IOException {
        try (Answer answer =
                host.send("blobs/" + blob, OciRequest.of("HEAD", Map.of())).answer()) {
            if (OciRequests.kind(answer.status()) == Kind.UNAVAILABLE) {
                throw OciRequests.refusal(answer);
            }
            // Whatever else it answers, the upload tells more than an answer without a body.
            return answer.status() / 100 == 2;
        }
    }

    private Place place(Endpoint host) throws IOException {
        Landed begun = host.send("blobs/uploads/", OciRequest.of("POST", Map.of()));
        try (Answer answer = begun.answer()) {
            if (answer.status() != 202) {
                throw OciPush.refusal(answer.status(), OciRequests.codes(answer));
            }
            OciHttp.drop(answer);
            String location = answer.header("Location")
                    .orElseThrow(() -> new OciException(Kind.INVALID, "the registry names no place for the upload"));
            URI uri = OciHttp.resolve(begun.at(), location);
            URI whole = URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + "digest=" + blob);
            return new Place(whole, OciHttp.isSameHost(uri, begun.at()) ? host.known() : null);
        }
    }

    private Outcome put(Endpoint host, Place place) throws IOException {
        UploadBody body = new UploadBody(content, size, silence);
        Map<String, String> headers = new HashMap<>();
        if (place.authorization() != null) {
            headers.put(OciHttp.AUTHORIZATION, place.authorization());
        }
        if (size > ANNOUNCED_BYTES) {
            headers.put("Expect", "100-continue");
        }
        sent = true;
        try {
            return host.http()
                    .put(
                            host.reference(),
                            place.uri(),
                            headers,
                            body,
                            answer -> new Outcome(answer.status(), OciRequests.codes(answer)));
        } catch (IOException e) {
            if (body.unreadable().isPresent()) {
                throw new UncheckedIOException(body.unreadable().get());
            }
            throw body.reason(e);
        }
    }
}
