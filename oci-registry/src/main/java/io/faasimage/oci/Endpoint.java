package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciHttp.Landed;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A host at which a repository is read or written, with a login when it wants one.
 *
 * @param reference the image there, by the host's own name
 * @param query of each request; empty for none
 * @param capabilities what the host is trusted with
 */
record Endpoint(Client client, ImageReference reference, String query, Set<Capability> capabilities) {
    /** A client of one host, with the authorizations that it has accepted. */
    record Client(OciHttp http, Authorizations authorizations) {}

    /** A host as it is spoken to; by another client, the same name may be another host, or have other rules. */
    record Peer(Client client, String name) {}

    Peer peer() {
        return new Peer(client, name());
    }

    /** The host's name, with its port when given. */
    String name() {
        return reference.registry();
    }

    /** Whether the administrator lets {@code path} of the repository be read here. */
    boolean isTrustedWith(String path) {
        return capabilities.containsAll(Capability.of(path));
    }

    OciHttp http() {
        return client.http();
    }

    /** The authorization that the repository accepted before. */
    @Nullable
    String known() {
        return client.authorizations().known(reference);
    }

    /** Gets what is there; also the answer that a requested range is not. */
    Answer get(String path, Map<String, String> headers) throws IOException {
        Answer response = send(path, OciRequest.get(headers)).answer();
        int status = response.status();
        boolean noRange = status == 416 && headers.containsKey("Range");
        if (status / 100 == 2 || noRange) {
            return response;
        }
        throw OciRequests.refusal(response);
    }

    /** The answer to a request for {@code path} of the repository, whatever its status. */
    Landed send(String path, OciRequest request) throws IOException {
        Landed landed = sendOnce(path, request.with(known()));
        if (!isRefused(landed.answer())) {
            return landed;
        }
        OciHttp.drop(landed.answer());
        return again(path, request, landed);
    }

    private Landed sendOnce(String path, OciRequest request) throws IOException {
        String separator = query.isEmpty() ? "" : path.contains("?") ? "&" : "?";
        return http().send(reference, path + separator + query, request);
    }

    /** Once more with a new authorization. Some registries answer an expired one with 403 and without a challenge. */
    private Landed again(String path, OciRequest request, Landed refused) throws IOException {
        Landed challenged = refused;
        if (challenge(refused.answer()).isEmpty()) {
            challenged = sendOnce(path, request);
            if (challenge(challenged.answer()).isEmpty()) {
                return challenged;
            }
            OciHttp.drop(challenged.answer());
        }
        String authorization = client.authorizations()
                .renew(reference, challenge(challenged.answer()).get());
        return sendOnce(path, request.with(authorization));
    }

    private static boolean isRefused(Answer response) {
        return response.status() == 401 || response.status() == 403;
    }

    private static Optional<String> challenge(Answer response) {
        return isRefused(response) ? response.header("WWW-Authenticate") : Optional.empty();
    }
}
