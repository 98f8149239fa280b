package io.faasimage.node.image;

import io.faasimage.format.id.ImageReference;
import io.faasimage.node.pull.GuardedStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Requests to OCI registries and their token servers: choice of protocol, redirects, time limits. Thread-safe. */
final class RegistryHttp implements AutoCloseable {
    private static final int MAX_REDIRECTS = 5;
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final Set<String> plainHttp;
    private final Duration stall;
    private final HttpClient http;
    private final Set<String> tlsLocals = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("oci-watch").daemon().factory());

    /**
     * A client.
     *
     * @param plainHttp hosts (with port) that are spoken to without TLS
     * @param tls whom TLS trusts; the JVM's own authorities when empty
     * @param stall the longest time in which a body delivers nothing
     */
    RegistryHttp(Set<String> plainHttp, Optional<SSLContext> tls, Duration stall) {
        this.plainHttp = Set.copyOf(plainHttp);
        this.stall = stall;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(5));
        tls.ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    /**
     * Gets {@code path} of the image's repository. A registry of this machine is first spoken to without TLS; when that
     * is refused as a bad request, as TLS servers do, with TLS from then on.
     */
    HttpResponse<InputStream> get(ImageReference reference, String path, String accept, @Nullable String authorization)
            throws IOException {
        boolean plain = isPlain(reference);
        HttpResponse<InputStream> response = get(uri(reference, path, plain), accept, authorization);
        if (response.statusCode() != 400 || !plain || plainHttp.contains(reference.registry())) {
            return response;
        }
        response.body().close();
        response = get(uri(reference, path, false), accept, authorization);
        tlsLocals.add(reference.registry());
        return response;
    }

    /** Whether the registry is spoken to without TLS. */
    boolean isPlain(ImageReference reference) {
        return plainHttp.contains(reference.registry())
                || (reference.isLoopback() && !tlsLocals.contains(reference.registry()));
    }

    private static URI uri(ImageReference reference, String path, boolean plain) {
        String host = reference.registry().equals("docker.io") ? "registry-1.docker.io" : reference.registry();
        return URI.create((plain ? "http://" : "https://") + host + "/v2/" + reference.repository() + "/" + path);
    }

    /** Gets {@code start}, through redirects. */
    HttpResponse<InputStream> get(URI start, String accept, @Nullable String authorization) throws IOException {
        URI uri = start;
        for (int i = 0; i <= MAX_REDIRECTS; i++) {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", accept);
            // A login is for its own host, not for the storage that the host points to.
            if (authorization != null && sameOrigin(start, uri)) {
                request.header("Authorization", authorization);
            }
            HttpResponse<InputStream> response = send(request);
            Optional<String> location = response.headers().firstValue("Location");
            if (response.statusCode() / 100 != 3 || location.isEmpty()) {
                return response;
            }
            response.body().close();
            uri = uri.resolve(location.get());
        }
        throw new IOException("more than " + MAX_REDIRECTS + " redirects from " + start);
    }

    private static boolean sameOrigin(URI one, URI other) {
        return one.getAuthority().equals(other.getAuthority())
                && one.getScheme().equals(other.getScheme());
    }

    /** Sends a request with the body {@code form}; redirects are not followed. */
    HttpResponse<InputStream> post(URI uri, String form) throws IOException {
        return send(HttpRequest.newBuilder(uri)
                .header("Accept", "application/json")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder builder) throws IOException {
        // The request's own time limit ends at the headers; the stream has another.
        HttpRequest request = builder.timeout(ANSWER).build();
        String place = request.uri().getScheme() + "://" + request.uri().getAuthority()
                + request.uri().getPath();
        try {
            return http.send(
                    request,
                    _ -> BodySubscribers.mapping(
                            BodySubscribers.ofInputStream(), in -> new GuardedStream(in, _ -> {}, stall, watch)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted: " + request.method() + " " + place);
        } catch (SSLException e) {
            throw new IOException(
                    "could not get " + place + ": TLS failed, " + e.getMessage()
                            + "; when the certificate is from an authority of your own, start faasimage-node with --registry-ca FILE,"
                            + " and when the registry speaks plain HTTP, with --plain-http "
                            + request.uri().getAuthority(),
                    e);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException(
                    "could not get " + place + ": " + reason
                            + "; is the image's registry spelt right, and can this node reach it?",
                    e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        watch.shutdownNow();
    }
}
