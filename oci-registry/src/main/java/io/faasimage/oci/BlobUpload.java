package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.OciHttp.Landed;
import io.faasimage.oci.OciPush.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
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

    private final OciRequests requests;
    private final ImageReference repository;
    private final Digest blob;
    private final long size;
    private final Content content;
    private boolean sent;

    /** Where to put the blob, and the login for that host. */
    private record Place(URI uri, @Nullable String authorization) {}

    private record Outcome(int status, String codes) {}

    BlobUpload(OciRequests requests, ImageReference repository, Digest blob, long size, Content content) {
        this.requests = requests;
        this.repository = repository;
        this.blob = blob;
        this.size = size;
        this.content = content;
    }

    /**
     * One attempt.
     *
     * @return whether this upload has sent the blob
     * @throws UncheckedIOException of a failure of the content
     */
    boolean attempt() throws IOException {
        if (isThere()) {
            return sent;
        }
        Outcome outcome = put(place());
        if (outcome.status() == 401 || outcome.status() == 403) {
            // The login was good for the first request, and is over; the next one makes a new one.
            outcome = put(place());
        }
        if (outcome.status() / 100 != 2) {
            throw OciPush.refusal(outcome.status(), outcome.codes());
        }
        return true;
    }

    private boolean isThere() throws IOException {
        try (Answer answer = requests.send(repository, "blobs/" + blob, OciRequest.of("HEAD", Map.of()))
                .answer()) {
            if (OciRequests.kind(answer.status()) == Kind.UNAVAILABLE) {
                throw OciRequests.refusal(answer);
            }
            // Whatever else it answers, the upload tells more than an answer without a body.
            return answer.status() / 100 == 2;
        }
    }

    private Place place() throws IOException {
        Landed begun = requests.send(repository, "blobs/uploads/", OciRequest.of("POST", Map.of()));
        try (Answer answer = begun.answer()) {
            if (answer.status() != 202) {
                throw OciPush.refusal(answer.status(), OciRequests.codes(answer));
            }
            OciHttp.drop(answer);
            String location = answer.header("Location")
                    .orElseThrow(() -> new OciException(Kind.INVALID, "the registry names no place for the upload"));
            URI uri = OciHttp.resolve(begun.at(), location);
            URI whole = URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + "digest=" + blob);
            return new Place(whole, OciHttp.isSameHost(uri, begun.at()) ? requests.known(repository) : null);
        }
    }

    private Outcome put(Place place) throws IOException {
        UploadBody body = new UploadBody(content, size, requests.options().silence());
        Map<String, String> headers = new HashMap<>();
        if (place.authorization() != null) {
            headers.put(OciHttp.AUTHORIZATION, place.authorization());
        }
        if (size > ANNOUNCED_BYTES) {
            headers.put("Expect", "100-continue");
        }
        sent = true;
        try {
            return requests.http()
                    .put(
                            repository,
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
