package io.faasimage.node.image;

import io.faasimage.api.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.node.image.ImageDocuments.Document;
import io.faasimage.node.pull.GuardedStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A small client of OCI registries: manifests and blobs, anonymous, Basic or with a bearer token. Blocking, thread-safe.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/main/spec.md">the distribution specification</a>
 */
public final class OciRegistry implements AutoCloseable {
    private static final int MAX_DOCUMENT_BYTES = 8 << 20;
    private static final int MAX_REDIRECTS = 5;
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String MANIFESTS = String.join(
            ",",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json",
            "application/vnd.docker.distribution.manifest.v2+json");
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private static final Duration STALL = Duration.ofSeconds(20);

    private final RegistryCredentials credentials;
    private final Set<String> plainHttp;
    private final Duration stall;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("oci-watch").daemon().factory());
    private final Map<String, String> authorizations = new ConcurrentHashMap<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /**
     * A client.
     *
     * @param plainHttp hosts (with port) that are spoken to without TLS, besides those of this machine
     */
    public OciRegistry(RegistryCredentials credentials, Set<String> plainHttp) {
        this(credentials, plainHttp, STALL);
    }

    /** With another limit for a body that delivers nothing. */
    OciRegistry(RegistryCredentials credentials, Set<String> plainHttp, Duration stall) {
        this.credentials = credentials;
        this.stall = stall;
        this.plainHttp = Set.copyOf(plainHttp);
    }

    /** Fetches the image's documents, each checked against its digest. */
    public ImageDocuments resolve(ImageReference reference) throws IOException {
        Document root = manifest(reference, reference.manifest(), reference.digest());
        JsonNode json = root.json();
        Document manifest = root;
        if (json.has("manifests")) {
            Descriptor chosen = ImageDocuments.choose(json)
                    .orElseThrow(() ->
                            new IOException(reference + " has no image for linux/" + ImageDocuments.architecture()));
            manifest = manifest(reference, chosen.digest().toString(), Optional.of(chosen.digest()));
            json = manifest.json();
        }
        Descriptor config = Descriptor.of(json.path("config"));
        byte[] bytes;
        try (InputStream in = blob(reference, config.digest())) {
            bytes = in.readNBytes(MAX_DOCUMENT_BYTES);
        }
        Document configDocument = new Document(config, checked(bytes, config.digest()));
        try {
            return new ImageDocuments(
                    root,
                    manifest,
                    configDocument,
                    ImageDocuments.layersOf(json),
                    ImageDocuments.chainsOf(configDocument.json()));
        } catch (IllegalArgumentException e) {
            throw new IOException(reference + " cannot be used: " + e.getMessage(), e);
        }
    }

    private Document manifest(ImageReference reference, String name, Optional<Digest> expected) throws IOException {
        HttpResponse<InputStream> response = get(reference, "manifests/" + name, MANIFESTS);
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(MAX_DOCUMENT_BYTES);
            Digest digest = Digest.of(bytes);
            if (expected.isPresent()) {
                checked(bytes, expected.get());
            }
            String header =
                    response.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
            Document document = new Document(new Descriptor(header, digest, bytes.length), bytes);
            String own = document.json().path("mediaType").asString(header);
            return new Document(new Descriptor(own, digest, bytes.length), bytes);
        }
    }

    private static byte[] checked(byte[] bytes, Digest expected) throws IOException {
        if (!Digest.of(bytes).equals(expected)) {
            throw new IOException("the OCI registry sent something else as " + expected + "; its copy may be damaged");
        }
        return bytes;
    }

    /** Opens a blob; the caller verifies and closes. */
    public InputStream blob(ImageReference reference, Digest digest) throws IOException {
        return get(reference, "blobs/" + digest, "*/*").body();
    }

    private HttpResponse<InputStream> get(ImageReference reference, String path, String accept) throws IOException {
        String scheme = reference.isLocal() || plainHttp.contains(reference.host()) ? "http" : "https";
        String host = reference.host().equals("docker.io") ? "registry-1.docker.io" : reference.host();
        URI uri = URI.create(scheme + "://" + host + "/v2/" + reference.repository() + "/" + path);
        String scope = reference.host() + "/" + reference.repository();
        HttpResponse<InputStream> response = follow(uri, accept, authorizations.get(scope));
        if (response.statusCode() == 401) {
            String authorization = authorize(reference, response);
            authorizations.put(scope, authorization);
            response = follow(uri, accept, authorization);
        }
        if (response.statusCode() == 200) {
            return response;
        }
        response.body().close();
        throw new IOException("could not get " + uri + ": the OCI registry answered " + response.statusCode()
                + remedy(response.statusCode(), reference));
    }

    private static String remedy(int status, ImageReference reference) {
        return switch (status) {
            case 401, 403 -> "; log in with `docker login " + reference.host() + "`";
            case 404 -> "; is the name right, and has the image been pushed?";
            default -> "";
        };
    }

    private HttpResponse<InputStream> follow(URI start, String accept, @Nullable String authorization)
            throws IOException {
        URI uri = start;
        for (int i = 0; i <= MAX_REDIRECTS; i++) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(uri).header("Accept", accept).timeout(ANSWER);
            // A login is for its own host, not for the storage that the host points to.
            if (authorization != null && start.getAuthority().equals(uri.getAuthority())) {
                request.header("Authorization", authorization);
            }
            HttpResponse<InputStream> response = send(request.build());
            Optional<String> location = response.headers().firstValue("Location");
            if (response.statusCode() / 100 != 3 || location.isEmpty()) {
                return response;
            }
            response.body().close();
            uri = uri.resolve(location.get());
        }
        throw new IOException("more than " + MAX_REDIRECTS + " redirects from " + start);
    }

    private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        try {
            // The request's own time limit ends at the headers.
            return http.send(
                    request,
                    _ -> BodySubscribers.mapping(
                            BodySubscribers.ofInputStream(), in -> new GuardedStream(in, _ -> {}, stall, watch)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted: GET " + request.uri());
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException("could not get " + request.uri() + ": " + reason, e);
        }
    }

    private String authorize(ImageReference reference, HttpResponse<InputStream> refused) throws IOException {
        refused.body().close();
        Optional<String> basic = credentials.basic(reference.host());
        String challenge = refused.headers().firstValue("WWW-Authenticate").orElse("");
        if (!challenge.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return basic.map(token -> "Basic " + token)
                    .orElseThrow(() -> new IOException(
                            reference.host() + " wants a login; log in with `docker login " + reference.host() + "`"));
        }
        Map<String, String> parameters = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(challenge);
        while (matcher.find()) {
            parameters.put(matcher.group(1), matcher.group(2));
        }
        String scope = parameters.getOrDefault("scope", "repository:" + reference.repository() + ":pull");
        URI realm = URI.create(parameters.getOrDefault("realm", "") + "?service="
                + encoded(parameters.getOrDefault("service", "")) + "&scope=" + encoded(scope));
        HttpResponse<InputStream> answer = follow(
                realm, "application/json", basic.map(token -> "Basic " + token).orElse(null));
        try (InputStream body = answer.body()) {
            JsonNode json = Json.mapper().readTree(body.readNBytes(MAX_DOCUMENT_BYTES));
            String token = json.path("token").asString(json.path("access_token").asString(""));
            if (answer.statusCode() != 200 || token.isEmpty()) {
                throw new IOException("no token for " + reference + " from " + realm.getHost() + ": it answered "
                        + answer.statusCode() + "; log in with `docker login " + reference.host() + "`");
            }
            return "Bearer " + token;
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.shutdownNow();
        watch.shutdownNow();
    }
}
