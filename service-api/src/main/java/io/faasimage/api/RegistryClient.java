package io.faasimage.api;

import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of registry-service. Blocking, thread-safe; every call is bounded in time, one that opens a stream up to the
 * answer's headers: the caller bounds the reading of streams. Failures are {@link RegistryException}s.
 */
public final class RegistryClient implements AutoCloseable {
    private static final int MAX_PROBLEM_BYTES = 64 * 1024;

    /** For a whole body that comes slowly, such as a plan over a slow link. */
    private static final Duration BODY_CAP = Duration.ofMinutes(10);

    private final RegistryConfig config;
    private final HttpClient http;
    private final BoundedBody bodies;
    private final JsonMapper json = Json.mapper();

    /** A client of the service at {@code config.base()}. */
    public RegistryClient(RegistryConfig config) {
        this.config = config;
        this.bodies = new BoundedBody(config.answerTimeout(), BODY_CAP);
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(config.connectTimeout())
                .build();
    }

    /** The address of the service. */
    public URI base() {
        return config.base();
    }

    /** Registers a function. */
    public FunctionInfo register(FunctionRequest request) throws IOException {
        return read(send(post("/v1/functions", json(request), "application/json")), new TypeReference<>() {});
    }

    /** Registers a function in the place of the one with its name, if there is one; what is null stays as it was there. */
    public FunctionInfo replace(FunctionRequest request) throws IOException {
        return read(
                send(post("/v1/functions?replace=true", json(request), "application/json")), new TypeReference<>() {});
    }

    /** Sends a function's code to be built and then registered; the archive is a zip or tar of its directory. */
    public BuildInfo build(BuildRequest request, Path archive) throws IOException {
        MultipartBody body = new MultipartBody(json.writeValueAsBytes(request), archive);
        return read(send(post("/v1/functions", body.publisher(), body.contentType())), new TypeReference<>() {});
    }

    /** One build. */
    public BuildInfo buildOf(String id) throws IOException {
        return read(send(get("/v1/builds/" + segment(id))), new TypeReference<>() {});
    }

    /** All builds that are remembered, newest first. */
    public List<BuildInfo> builds() throws IOException {
        return read(send(get("/v1/builds")), new TypeReference<>() {});
    }

    /** What the package manager of a build printed, from a byte on; empty when there is no more yet. */
    public byte[] buildOutput(String id, long from) throws IOException {
        return bytes(send(get("/v1/builds/" + segment(id) + "/output?from=" + from)));
    }

    /** The languages that functions can be built in, by name. */
    public List<LanguageInfo> languages() throws IOException {
        return read(send(get("/v1/languages")), new TypeReference<>() {});
    }

    /** All functions. */
    public List<FunctionInfo> functions() throws IOException {
        return read(send(get("/v1/functions")), new TypeReference<>() {});
    }

    /** One function. */
    public FunctionInfo function(String name) throws IOException {
        return read(send(get("/v1/functions/" + segment(name))), new TypeReference<>() {});
    }

    /** Deletes a function; with {@code purge} the plan of an image that no other function uses goes too. */
    public void deleteFunction(String name, boolean purge) throws IOException {
        String path = "/v1/functions/" + segment(name) + (purge ? "?purge=true" : "");
        send(request(path).DELETE().build()).body().close();
    }

    /** Lets the image of a function keep the plan that it has. */
    public FunctionInfo pin(String name) throws IOException {
        return read(send(pin(name, "PUT")), new TypeReference<>() {});
    }

    /** Lets the image of a function have the newest plan again, unless another function of it is pinned. */
    public FunctionInfo unpin(String name) throws IOException {
        return read(send(pin(name, "DELETE")), new TypeReference<>() {});
    }

    private HttpRequest pin(String name, String method) {
        return request("/v1/functions/" + segment(name) + "/pin")
                .method(method, BodyPublishers.noBody())
                .build();
    }

    /** All images. */
    public List<ImageInfo> images() throws IOException {
        return read(send(get("/v1/images")), new TypeReference<>() {});
    }

    /** One image. */
    public ImageInfo image(Digest manifest) throws IOException {
        return read(send(get("/v1/images/" + manifest)), new TypeReference<>() {});
    }

    /** The encoded plan of an image. */
    public byte[] plan(Digest manifest) throws IOException {
        return bytes(send(get("/v1/images/" + manifest + "/plan")));
    }

    /** The encoded trace of an image. */
    public byte[] trace(Digest manifest) throws IOException {
        return bytes(send(get("/v1/images/" + manifest + "/trace")));
    }

    /** Adds an encoded trace; the service merges it and queues a refactor job. */
    public JobInfo postTrace(byte[] encoded) throws IOException {
        BodyPublisher body = BodyPublishers.ofByteArray(encoded);
        return read(send(post("/v1/traces", body, MediaTypes.TRACE)), new TypeReference<>() {});
    }

    /** Tells of a start. */
    public void postStart(StartReport start) throws IOException {
        send(post("/v1/starts", json(start), "application/json")).body().close();
    }

    /** The newest starts of an image that nodes told of, newest first. */
    public List<StartInfo> starts(Digest manifest) throws IOException {
        return read(send(get("/v1/images/" + manifest + "/starts")), new TypeReference<>() {});
    }

    /** Tells of starts; each is kept once, however often it is sent. */
    public StartBatch.Taken postStarts(String node, StartBatch starts) throws IOException {
        String path = "/v1/nodes/" + segment(node) + "/starts";
        return read(send(post(path, json(starts), "application/json")), new TypeReference<>() {});
    }

    /** Tells of a node. */
    public void putNode(String node, NodeReport report) throws IOException {
        HttpRequest request = request("/v1/nodes/" + segment(node))
                .header("Content-Type", "application/json")
                .PUT(json(report))
                .build();
        send(request).body().close();
    }

    /** The nodes, by name. */
    public List<NodeInfo> nodes() throws IOException {
        return read(send(get("/v1/nodes")), new TypeReference<>() {});
    }

    /** A part of the list of starts, newest first; {@code filters} as in REST: image, function, node, class, cold, after, limit. */
    public Page<StartSummary> startList(Map<String, String> filters) throws IOException {
        return read(send(get("/v1/starts" + query(filters))), new TypeReference<>() {});
    }

    /** One start. */
    public StartDetail start(String id) throws IOException {
        return read(send(get("/v1/starts/" + segment(id))), new TypeReference<>() {});
    }

    /** Starts by hour; {@code filters} as in REST: image, function or node, from, until. */
    public List<StartHour> startSeries(Map<String, String> filters) throws IOException {
        return read(send(get("/v1/starts/series" + query(filters))), new TypeReference<>() {});
    }

    /** The whole in a few numbers. */
    public Overview overview() throws IOException {
        return read(send(get("/v1/overview")), new TypeReference<>() {});
    }

    /** A part of the list of events, newest first; {@code filters} as in REST: source, subject, image, severity, after, limit. */
    public Page<EventInfo> events(Map<String, String> filters) throws IOException {
        return read(send(get("/v1/events" + query(filters))), new TypeReference<>() {});
    }

    private static String query(Map<String, String> filters) {
        return filters.isEmpty()
                ? ""
                : filters.entrySet().stream()
                        .map(filter -> filter.getKey() + "=" + segment(filter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** The plans of an image, newest first. */
    public List<PlanVersion> planVersions(Digest manifest) throws IOException {
        return read(send(get("/v1/images/" + manifest + "/plans")), new TypeReference<>() {});
    }

    /** The runtimes of planned images, by name. */
    public List<RuntimeInfo> runtimes() throws IOException {
        return read(send(get("/v1/runtimes")), new TypeReference<>() {});
    }

    /** One runtime. */
    public RuntimeInfo runtime(String name) throws IOException {
        return read(send(get("/v1/runtimes/" + segment(name))), new TypeReference<>() {});
    }

    /** Queues a refactor job. */
    public JobInfo refactor(Digest manifest) throws IOException {
        BodyPublisher none = BodyPublishers.noBody();
        String path = "/v1/images/" + manifest + "/refactor";
        return read(send(post(path, none, "application/json")), new TypeReference<>() {});
    }

    /** All jobs, newest first. */
    public List<JobInfo> jobs() throws IOException {
        return read(send(get("/v1/jobs")), new TypeReference<>() {});
    }

    /** One job. */
    public JobInfo job(String id) throws IOException {
        return read(send(get("/v1/jobs/" + segment(id))), new TypeReference<>() {});
    }

    /** What is known of a chain ID; empty when nothing is. */
    public Optional<ChainInfo> chain(ChainId chain) throws IOException {
        try {
            return Optional.of(read(send(get("/v1/chains/" + chain)), new TypeReference<ChainInfo>() {}));
        } catch (RegistryException e) {
            if (e.notFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Opens a bundle stream; the caller closes it. */
    public BundleStream bundle(BundleRequest request) throws IOException {
        HttpResponse<InputStream> response = send(post("/v1/bundles", json(request), "application/json"));
        return new BundleStream(
                response.body(),
                mode(response, BundleStream.START_HEADER, StartMode::parse),
                mode(response, BundleStream.FILL_HEADER, FillMode::parse),
                response.headers().firstValueAsLong("Content-Length").orElse(-1));
    }

    private static <T> Optional<T> mode(HttpResponse<InputStream> response, String header, Function<String, T> parse)
            throws IOException {
        try {
            return response.headers().firstValue(header).map(parse);
        } catch (IllegalArgumentException e) {
            response.body().close();
            throw RegistryException.unreachable(
                    describe(response.request()) + " answered with " + header + " of another version: " + e.getMessage()
                            + "; upgrade this program",
                    e);
        }
    }

    /** Opens one object's content, compressed with zstd or raw; the caller decompresses, verifies and closes. */
    public ObjectContent object(Digest digest) throws IOException {
        HttpRequest request = request("/v1/objects/" + digest.hex())
                .header("Accept-Encoding", "zstd")
                .GET()
                .build();
        HttpResponse<InputStream> response = send(request);
        boolean zstd =
                response.headers().firstValue("Content-Encoding").orElse("").equals("zstd");
        return new ObjectContent(response.body(), zstd);
    }

    /** Whether all that the service needs answers, its store of blobs included. */
    public boolean healthy() {
        try {
            send(get("/v1/health")).body().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether the service serves requests, be it from its cache alone while its store of blobs is away. Where that may not be asked,
     * because the service is too old or a proxy guards it, whether it is healthy.
     */
    public boolean serving() {
        try {
            send(get("/actuator/health/serving")).body().close();
            return true;
        } catch (RegistryException e) {
            return e.status() / 100 == 4 && healthy();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private HttpRequest get(String path) {
        return request(path).GET().build();
    }

    private HttpRequest post(String path, BodyPublisher body, String contentType) {
        return request(path).header("Content-Type", contentType).POST(body).build();
    }

    private HttpRequest.Builder request(String path) {
        String base = config.base().toString();
        String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(root + path)).timeout(config.answerTimeout());
        builder.header(RequestId.HEADER, RequestId.create());
        CurrentSpan.get().ifPresent(span -> builder.header(TraceParent.HEADER, span.toString()));
        config.token().ifPresent(token -> builder.header("Authorization", "Bearer " + token));
        return builder;
    }

    private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        HttpResponse<InputStream> response;
        try {
            response = http.send(request, BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted: " + describe(request)).initCause(e);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw RegistryException.unreachable(
                    describe(request) + " got no answer (" + reason + "); is registry-service running at "
                            + config.base() + "?",
                    e);
        }
        if (response.statusCode() / 100 == 2) {
            return response;
        }
        throw failure(request, response, problem(response));
    }

    /** What can be had of the body of a failure: its status is worth more than its text. */
    private byte[] problem(HttpResponse<InputStream> response) {
        try {
            return bodies.read(response.body(), MAX_PROBLEM_BYTES);
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
        }
    }

    private RegistryException failure(HttpRequest request, HttpResponse<?> response, byte[] body) {
        String detail = new String(body, StandardCharsets.UTF_8).strip();
        try {
            Problem problem = json.readValue(body, Problem.class);
            if (problem.detail() != null) {
                detail = problem.detail();
            } else if (problem.title() != null) {
                detail = problem.title();
            }
        } catch (JacksonException e) {
            // Not a problem document (a proxy's page, say): its text is the detail.
            detail = detail.length() > 200 ? detail.substring(0, 200) : detail;
        }
        if (response.statusCode() == 401) {
            detail = detail + " (set FAASIMAGE_TOKEN to the service's token)";
        }
        if (response.statusCode() >= 500) {
            detail = detail + " (its log has more of request "
                    + request.headers().firstValue(RequestId.HEADER).orElse("") + ")";
        }
        Optional<Duration> retryAfter =
                response.headers().firstValue("Retry-After").flatMap(RegistryClient::seconds);
        return RegistryException.answered(
                describe(request) + " answered " + response.statusCode() + ": " + detail,
                response.statusCode(),
                retryAfter);
    }

    private static Optional<Duration> seconds(String text) {
        try {
            long seconds = Long.parseLong(text.strip());
            return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String describe(HttpRequest request) {
        return request.method() + " " + request.uri();
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private BodyPublisher json(Object value) {
        return BodyPublishers.ofByteArray(json.writeValueAsBytes(value));
    }

    private byte[] bytes(HttpResponse<InputStream> response) throws IOException {
        try {
            return bodies.read(response.body(), Integer.MAX_VALUE);
        } catch (IOException e) {
            throw RegistryException.unreachable(describe(response.request()) + ": " + e.getMessage(), e);
        }
    }

    private <T> T read(HttpResponse<InputStream> response, TypeReference<T> type) throws IOException {
        byte[] body = bytes(response);
        try {
            return json.readValue(body, type);
        } catch (JacksonException e) {
            throw RegistryException.unreachable(
                    response.request().method() + " " + response.uri()
                            + " answered something that is not this version's JSON; is it a registry-service?",
                    e);
        }
    }

    /**
     * Content of one object.
     *
     * @param body the bytes; to be closed
     * @param zstd whether they are a zstd frame
     */
    public record ObjectContent(InputStream body, boolean zstd) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
