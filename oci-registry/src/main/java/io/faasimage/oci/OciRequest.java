package io.faasimage.oci;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not yet for a place: a registry may be spoken to by several protocols, and redirect.
 *
 * @param body a new connection may need it once more, so it is repeatable
 */
record OciRequest(String method, Map<String, String> headers, Optional<HttpEntity> body) {
    OciRequest {
        headers = Map.copyOf(headers);
    }

    static OciRequest get(Map<String, String> headers) {
        return of("GET", headers);
    }

    static OciRequest of(String method, Map<String, String> headers) {
        return new OciRequest(method, headers, Optional.empty());
    }

    /** The same with this authorization; without one, the same. */
    OciRequest with(@Nullable String authorization) {
        if (authorization == null) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(OciHttp.AUTHORIZATION, authorization);
        return new OciRequest(method, all, body);
    }

    /** Whether a redirect is followed: nothing is written where a registry did not say beforehand. */
    boolean isFollowed() {
        return method.equals("GET") || method.equals("HEAD");
    }

    BasicClassicHttpRequest at(URI uri) {
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, uri);
        request.setHeader("User-Agent", "faasimage");
        headers.forEach(request::setHeader);
        body.ifPresent(request::setEntity);
        return request;
    }
}
