package io.faasimage.api.client;

import io.faasimage.api.client.ServiceCalls.Answered;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Requests of a builder, by a {@link ServiceClient} with one address: a build is known only to the service that handed
 * it out. The JSON of requests and answers is the records of module image-builder, package {@code protocol}. Blocking,
 * thread-safe.
 */
public final class BuilderCalls {
    private static final String ROOT = "/v1/builder";
    private static final String JSON = "application/json";
    private static final int NO_CONTENT = 204;

    private final ServiceCalls calls;

    BuilderCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** The limits and settings of builds. */
    public byte[] settings() throws IOException {
        return calls.bytes(calls.send(calls.get(ROOT)));
    }

    /** Takes a build, and waits for one as long as the request says; empty when there was none. */
    public Optional<byte[]> lease(byte[] request) throws IOException {
        Answered answer = calls.send(calls.post(ROOT + "/leases", request, JSON));
        byte[] body = calls.bytes(answer);
        return answer.status() == NO_CONTENT ? Optional.empty() : Optional.of(body);
    }

    /** Opens the archive of the function's code; the caller closes it. */
    public InputStream archive(String lease) throws IOException {
        return calls.send(calls.get(at(lease) + "/archive")).body();
    }

    /** Reports on a build, which extends the lease. */
    public byte[] report(String lease, byte[] report) throws IOException {
        return calls.bytes(calls.send(calls.post(at(lease), report, JSON).repeatable()));
    }

    /** Reports to the operator what earlier builds left that cannot be removed. */
    public void leftovers(byte[] report) throws IOException {
        calls.bytes(calls.send(calls.post(ROOT + "/leftovers", report, JSON)));
    }

    private static String at(String lease) {
        return ROOT + "/leases/" + ServiceCalls.segment(lease);
    }
}
