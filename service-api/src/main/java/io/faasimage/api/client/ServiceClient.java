package io.faasimage.api.client;

import io.faasimage.api.client.ServiceCalls.Answered;
import io.faasimage.api.client.ServiceCalls.Call;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.function.RuntimeInfo;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.PlanKeyInfo;
import io.faasimage.api.image.PlanVersion;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.rest.MediaTypes;
import io.faasimage.api.rest.Page;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;

/**
 * A client of registry-service. Blocking, thread-safe; every call is bounded in time, one that opens a stream up to the
 * answer's headers: the caller bounds the reading of streams. Failures are {@link ServiceException}s.
 */
public final class ServiceClient implements AutoCloseable {
    private final ServiceConfig config;
    private final ServiceCalls calls;

    /** A client of the service at {@code config.addresses()}. */
    public ServiceClient(ServiceConfig config) {
        this.config = config;
        this.calls = new ServiceCalls(config);
    }

    /** The address of the service, the first of several. */
    public URI base() {
        return config.base();
    }

    /** All addresses of the service, separated by commas. */
    public String addresses() {
        return config.toString();
    }

    /** Registers a function. */
    public FunctionInfo register(FunctionRequest request) throws IOException {
        return read(
                calls.send(calls.post("/v1/functions", json(request), "application/json")), new TypeReference<>() {});
    }

    /**
     * Registers a function in the place of the one with its name, if there is one; null fields keep its values.
     */
    public FunctionInfo replace(FunctionRequest request) throws IOException {
        return read(
                calls.send(calls.post("/v1/functions?replace=true", json(request), "application/json")),
                new TypeReference<>() {});
    }

    /** Requests that concern starts of containers. */
    public StartCalls starts() {
        return new StartCalls(calls);
    }

    /** Requests that concern profiles of libraries and runtimes. */
    public ProfileCalls profiles() {
        return new ProfileCalls(calls);
    }

    /** All functions. */
    public List<FunctionInfo> functions() throws IOException {
        return read(calls.send(calls.get("/v1/functions")), new TypeReference<>() {});
    }

    /**
     * The images of functions that have a plan; empty when nothing has changed since the answer with {@code tag}.
     */
    public Optional<CatalogueList> catalogue(Optional<String> tag) throws IOException {
        Call call = calls.get("/v1/catalogue");
        tag.ifPresent(known -> call.header("If-None-Match", known));
        Answered answer = calls.send(call);
        if (answer.status() == ServiceCalls.NOT_MODIFIED) {
            calls.bytes(answer);
            return Optional.empty();
        }
        return Optional.of(new CatalogueList(
                read(answer, new TypeReference<>() {}), answer.header("ETag").orElse("")));
    }

    /** One function. */
    public FunctionInfo function(String name) throws IOException {
        return read(calls.send(calls.get("/v1/functions/" + segment(name))), new TypeReference<>() {});
    }

    /** Deletes a function; with {@code purge} also the plan of an image that no other function uses. */
    public void deleteFunction(String name, boolean purge) throws IOException {
        String path = "/v1/functions/" + segment(name) + (purge ? "?purge=true" : "");
        calls.bytes(calls.send(calls.request("DELETE", path)));
    }

    /** Pins the current plan of a function's image. */
    public FunctionInfo pin(String name) throws IOException {
        return read(calls.send(pin(name, "PUT")), new TypeReference<>() {});
    }

    /** Unpins a function: its image gets the newest plan again, unless another function of it is pinned. */
    public FunctionInfo unpin(String name) throws IOException {
        return read(calls.send(pin(name, "DELETE")), new TypeReference<>() {});
    }

    private Call pin(String name, String method) {
        return calls.request(method, "/v1/functions/" + segment(name) + "/pin");
    }

    /** All images. */
    public List<ImageInfo> images() throws IOException {
        return read(calls.send(calls.get("/v1/images")), new TypeReference<>() {});
    }

    /** One image. */
    public ImageInfo image(Digest manifest) throws IOException {
        return read(calls.send(calls.get("/v1/images/" + manifest)), new TypeReference<>() {});
    }

    /** The evidence of an image's predicted plan; fails with status 404 when its plan is not predicted. */
    public PredictionInfo prediction(Digest manifest) throws IOException {
        return read(calls.send(calls.get("/v1/images/" + manifest + "/prediction")), new TypeReference<>() {});
    }

    /** The encoded plan of an image. */
    public byte[] plan(Digest manifest) throws IOException {
        return calls.bytes(calls.send(calls.get("/v1/images/" + manifest + "/plan")));
    }

    /** The encoded trace of an image. */
    public byte[] trace(Digest manifest) throws IOException {
        return calls.bytes(calls.send(calls.get("/v1/images/" + manifest + "/trace")));
    }

    /** Adds an encoded trace; the service merges it and queues a refactor job. */
    public JobInfo postTrace(byte[] encoded) throws IOException {
        return read(calls.send(calls.post("/v1/traces", encoded, MediaTypes.TRACE)), new TypeReference<>() {});
    }

    /** Reports a node. */
    public void putNode(String node, NodeReport report) throws IOException {
        calls.bytes(
                calls.send(calls.request("PUT", "/v1/nodes/" + segment(node)).with(json(report), "application/json")));
    }

    /** The nodes, by name. */
    public List<NodeInfo> nodes() throws IOException {
        return read(calls.send(calls.get("/v1/nodes")), new TypeReference<>() {});
    }

    /** Requests that concern tokens and the identities of nodes. */
    public TokenCalls tokens() {
        return new TokenCalls(calls);
    }

    /** Requests that read the audit log. */
    public AuditCalls audit() {
        return new AuditCalls(calls);
    }

    /** The whole in a few numbers. */
    public Overview overview() throws IOException {
        return read(calls.send(calls.get("/v1/overview")), new TypeReference<>() {});
    }

    /**
     * A part of the list of events, newest first; {@code filters} as in REST: source, subject, image, severity, after,
     * limit.
     */
    public Page<EventInfo> events(Map<String, String> filters) throws IOException {
        return read(calls.send(calls.get("/v1/events" + ServiceCalls.query(filters))), new TypeReference<>() {});
    }

    /** The plans of an image, newest first. */
    public List<PlanVersion> planVersions(Digest manifest) throws IOException {
        return read(calls.send(calls.get("/v1/images/" + manifest + "/plans")), new TypeReference<>() {});
    }

    /** The public keys of the signatures of plans, the present one first; none when plans are not signed. */
    public List<PlanKeyInfo> planKeys() throws IOException {
        return read(calls.send(calls.get("/v1/plan-keys")), new TypeReference<>() {});
    }

    /** The runtimes of planned images, by name. */
    public List<RuntimeInfo> runtimes() throws IOException {
        return read(calls.send(calls.get("/v1/runtimes")), new TypeReference<>() {});
    }

    /** One runtime. */
    public RuntimeInfo runtime(String name) throws IOException {
        return read(calls.send(calls.get("/v1/runtimes/" + segment(name))), new TypeReference<>() {});
    }

    /** Queues a refactor job. */
    public JobInfo refactor(Digest manifest) throws IOException {
        String path = "/v1/images/" + manifest + "/refactor";
        return read(calls.send(calls.request("POST", path)), new TypeReference<>() {});
    }

    /** All jobs, newest first. */
    public List<JobInfo> jobs() throws IOException {
        return read(calls.send(calls.get("/v1/jobs")), new TypeReference<>() {});
    }

    /** One job. */
    public JobInfo job(String id) throws IOException {
        return read(calls.send(calls.get("/v1/jobs/" + segment(id))), new TypeReference<>() {});
    }

    /** The service's information about a chain ID; empty when it has none. */
    public Optional<ChainInfo> chain(ChainId chain) throws IOException {
        try {
            return Optional.of(read(calls.send(calls.get("/v1/chains/" + chain)), new TypeReference<ChainInfo>() {}));
        } catch (ServiceException e) {
            if (e.notFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Opens a bundle stream; the caller closes it. */
    public BundleStream bundle(BundleRequest request) throws IOException {
        return bundle(request, List.of());
    }

    /**
     * Opens a bundle stream that may be sent as a difference; the caller closes it.
     *
     * @param bases plans that are here with the metadata images of their tops: plan and metadata image may be sent as
     *     the difference to one of them
     */
    public BundleStream bundle(BundleRequest request, List<Digest> bases) throws IOException {
        Call call = calls.post("/v1/bundles", json(request), "application/json").repeatable();
        if (!bases.isEmpty()) {
            call.header(
                    BundleStream.BASES_HEADER,
                    bases.stream().map(Digest::toString).collect(Collectors.joining(",")));
        }
        Answered response = calls.send(call);
        return new BundleStream(
                response.body(),
                response.header(BundleStream.PLAN_HEADER),
                BundleStream.statement(response.header(BundleStream.STATEMENT_HEADER)),
                mode(response, BundleStream.START_HEADER, StartMode::parse),
                mode(response, BundleStream.FILL_HEADER, FillMode::parse),
                response.header(BundleStream.PREDICTED_HEADER)
                        .filter("true"::equals)
                        .isPresent(),
                response.length(),
                Optional.empty());
    }

    private static <T> Optional<T> mode(Answered response, String header, Function<String, T> parse)
            throws IOException {
        try {
            return response.header(header).map(parse);
        } catch (IllegalArgumentException e) {
            response.body().close();
            throw ServiceException.unreachable(
                    response.call() + " answered with " + header + " of another version: " + e.getMessage()
                            + "; upgrade this program",
                    e);
        }
    }

    /** Opens one object's content, compressed with zstd or raw; the caller decompresses, verifies and closes. */
    public ObjectContent object(Digest digest) throws IOException {
        Answered response = calls.send(calls.get("/v1/objects/" + digest.hex()).header("Accept-Encoding", "zstd"));
        boolean zstd = response.header("Content-Encoding").orElse("").equals("zstd");
        return new ObjectContent(response.body(), zstd);
    }

    /** Whether the service and everything that it needs are healthy, its blob store included. */
    public boolean healthy() {
        try {
            calls.bytes(calls.send(calls.get("/v1/health")));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether the service serves requests, be it from its cache alone while its blob store is unavailable. Where a
     * proxy guards that endpoint: whether the service is healthy.
     */
    public boolean serving() {
        try {
            calls.bytes(calls.send(calls.get("/actuator/health/serving")));
            return true;
        } catch (ServiceException e) {
            return e.status() / 100 == 4 && healthy();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        calls.close();
    }

    private static String segment(String text) {
        return ServiceCalls.segment(text);
    }

    private byte[] json(Object value) {
        return calls.json(value);
    }

    private <T> T read(Answered response, TypeReference<T> type) throws IOException {
        return calls.read(response, type);
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
