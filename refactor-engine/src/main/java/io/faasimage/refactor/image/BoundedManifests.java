package io.faasimage.refactor.image;

import com.google.api.client.http.apache.v2.ApacheHttpTransport;
import com.google.cloud.tools.jib.http.Request;
import com.google.cloud.tools.jib.http.Response;
import com.google.cloud.tools.jib.http.TransportClient;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.host.BoundedAnswers;
import io.faasimage.refactor.host.HostClients;
import java.io.IOException;
import java.net.URL;

/**
 * jib's HTTP client, except that a manifest is read here and not by jib, which would read all that a registry sends
 * into memory. jib's response cannot be replaced, so that the manifest takes the way of an exception. An answer that is
 * neither a manifest nor a blob is that of a token service, which is bounded by {@link BoundedAnswers}.
 */
final class BoundedManifests extends TransportClient {
    private final int limit;

    private static final System.Logger LOG = System.getLogger(BoundedManifests.class.getName());

    /**
     * A client that reads manifests of up to {@code limit} bytes; {@code plain} continues without TLS where there is
     * none.
     */
    BoundedManifests(boolean plain, int limit, HostClients clients) {
        super(
                plain,
                event -> LOG.log(System.Logger.Level.DEBUG, event::getMessage),
                () -> new ApacheHttpTransport(clients.verifying()),
                () -> new ApacheHttpTransport(clients.accepting()));
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
        boolean manifest = method.equals("GET") && url.getPath().contains("/manifests/");
        if (!manifest && !url.getPath().contains("/blobs/")) {
            return ScopedValue.where(BoundedAnswers.DOCUMENT, true).call(() -> super.call(method, url, request));
        }
        Response response = super.call(method, url, request);
        if (!manifest) {
            return response;
        }
        try (response) {
            BoundedOutput body = new BoundedOutput("the manifest " + url, limit);
            response.getBody().transferTo(body);
            throw new Manifest(body.toByteArray());
        }
    }
}
