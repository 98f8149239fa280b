package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.LogEvent;
import com.google.cloud.tools.jib.http.FailoverHttpClient;
import com.google.cloud.tools.jib.http.Request;
import com.google.cloud.tools.jib.http.Response;
import io.faasimage.refactor.fault.RefactorException;
import java.io.IOException;
import java.net.URL;
import java.util.function.Consumer;

/**
 * jib's HTTP client, except that a manifest is read here and not by jib, which would read all that a registry sends
 * into memory. jib's response cannot be replaced, so that the manifest takes the way of an exception.
 */
final class BoundedManifests extends FailoverHttpClient {
    private final int limit;

    /** A client that reads manifests of up to {@code limit} bytes. */
    BoundedManifests(boolean insecure, int limit, Consumer<LogEvent> log) {
        super(insecure, insecure, log);
        this.limit = limit;
    }

    /** The manifest that was requested. */
    static final class Manifest extends IOException {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;

        private Manifest(byte[] bytes) {
            super("a manifest of " + bytes.length + " bytes");
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes.clone();
        }
    }

    /**
     * Sends a request.
     *
     * @throws Manifest when the request was one for a manifest and succeeded
     * @throws RefactorException when the manifest is too long
     */
    @Override
    public Response call(String method, URL url, Request request) throws IOException {
        Response response = super.call(method, url, request);
        if (!method.equals("GET") || !url.getPath().contains("/manifests/")) {
            return response;
        }
        try (response) {
            BoundedOutput body = new BoundedOutput("the manifest " + url, limit);
            response.getBody().transferTo(body);
            throw new Manifest(body.toByteArray());
        }
    }
}
