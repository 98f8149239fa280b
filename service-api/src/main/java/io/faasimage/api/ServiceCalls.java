package io.faasimage.api;

import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests to registry-service, and what their answers have in common: a status that is none of success is a {@link RegistryException} with the
 * service's own words. Thread-safe; blocking.
 */
final class ServiceCalls implements AutoCloseable {
    private static final int MAX_PROBLEM_BYTES = 64 * 1024;

    /** A server that refuses a request reads its body all the same, so that its answer is heard; Tomcat up to 2 MB. */
    private static final int SWALLOWED_BYTES = 1 << 20;

    /** For a whole body that comes slowly, such as a plan over a slow link. */
    private static final Duration BODY_CAP = Duration.ofMinutes(10);

    private final RegistryConfig config;
    private final Connections connections;
    private final BoundedBody bodies;
    private final JsonMapper json = Json.mapper();

    /** A request that is being made. */
    static final class Call {
        private final String method;
        private final URI uri;
        private final String id;
        private final Map<String, String> headers;
        private byte[] body = {};
        private String contentType = "application/json";
        private boolean repeatable;

        private Call(String method, URI uri, String id, Map<String, String> headers) {
            this.method = method;
            this.uri = uri;
            this.id = id;
            this.headers = headers;
            this.repeatable = !method.equals("POST");
        }

        Call header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        Call with(byte[] content, String type) {
            body = content.clone();
            contentType = type;
            return this;
        }

        /** It changes nothing, although it is a POST. */
        Call repeatable() {
            repeatable = true;
            return this;
        }

        private BasicClassicHttpRequest request() {
            BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, uri);
            headers.forEach(request::setHeader);
            if (method.equals("POST") || method.equals("PUT")) {
                // Also without content: some proxies insist on its length.
                request.setEntity(new ByteArrayEntity(body, ContentType.parseLenient(contentType)));
            }
            return request;
        }

        @Override
        public String toString() {
            return method + " " + uri;
        }
    }

    /**
     * The beginning of an answer.
     *
     * @param call what was asked for
     * @param requestId by which the service's log knows it
     * @param status of HTTP
     * @param headers by name
     * @param body to be read to its end, or closed
     * @param length of the body, bytes, or -1
     */
    record Answered(
            String call,
            String requestId,
            int status,
            Function<String, Optional<String>> headers,
            InputStream body,
            long length) {
        Optional<String> header(String name) {
            return headers.apply(name);
        }
    }

    ServiceCalls(RegistryConfig config) {
        this.config = config;
        this.bodies = new BoundedBody(config.answerTimeout(), BODY_CAP);
        this.connections = new Connections(config);
    }

    Call get(String path) {
        return request("GET", path);
    }

    Call post(String path, byte[] body, String contentType) {
        return request("POST", path).with(body, contentType);
    }

    Call request(String method, String path) {
        String id = RequestId.create();
        return new Call(method, uri(path), id, headers(id));
    }

    private URI uri(String path) {
        String base = config.base().toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    }

    private Map<String, String> headers(String id) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(RequestId.HEADER, id);
        CurrentSpan.get().ifPresent(span -> headers.put(TraceParent.HEADER, span.toString()));
        config.token().ifPresent(token -> headers.put("Authorization", "Bearer " + token));
        return headers;
    }

    Answered send(Call call) throws IOException {
        if (call.body.length > SWALLOWED_BYTES) {
            return upload(call.method, call.uri, call.id, BodyPublishers.ofByteArray(call.body), call.contentType);
        }
        try {
            Connections.Answer answer = connections.send(call.request(), call.repeatable);
            return right(new Answered(
                    call.toString(), call.id, answer.status(), answer::header, answer.body(), answer.length()));
        } catch (RegistryException e) {
            throw e;
        } catch (IOException e) {
            throw noAnswer(call.toString(), e);
        }
    }

    /** Sends a file. */
    Answered upload(String path, MultipartBody body) throws IOException {
        return upload("POST", uri(path), RequestId.create(), body.publisher(), body.contentType());
    }

    /** With a client that hears a refusal while it still sends. */
    private Answered upload(String method, URI uri, String id, BodyPublisher body, String contentType)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(config.answerTimeout()).method(method, body);
        headers(id).forEach(request::header);
        request.header("Content-Type", contentType);
        String call = method + " " + uri;
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(config.connectTimeout())
                .build()) {
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            byte[] whole = bodies.read(
                    right(answered(call, id, response, response.body())).body(), Integer.MAX_VALUE);
            return answered(call, id, response, new ByteArrayInputStream(whole));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted: " + call).initCause(e);
        } catch (RegistryException e) {
            throw e;
        } catch (IOException e) {
            throw noAnswer(call, e);
        }
    }

    private static Answered answered(String call, String id, HttpResponse<?> response, InputStream body) {
        return new Answered(call, id, response.statusCode(), response.headers()::firstValue, body, -1);
    }

    private RegistryException noAnswer(String call, IOException e) {
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return RegistryException.unreachable(
                call + " got no answer (" + reason + "); is registry-service running at " + config.base() + "?", e);
    }

    private Answered right(Answered answer) throws RegistryException {
        if (answer.status() / 100 == 2) {
            return answer;
        }
        throw failure(answer, problem(answer));
    }

    /** What can be had of the body of a failure: its status is worth more than its text. */
    private byte[] problem(Answered response) {
        try {
            return bodies.read(response.body(), MAX_PROBLEM_BYTES);
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
        }
    }

    private RegistryException failure(Answered response, byte[] body) {
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
        if (response.status() == 401) {
            detail = detail + " (set FAASIMAGE_TOKEN to the service's token)";
        }
        if (response.status() >= 500) {
            detail = detail + " (its log has more of request " + response.requestId() + ")";
        }
        Optional<Duration> retryAfter = response.header("Retry-After").flatMap(ServiceCalls::seconds);
        return RegistryException.answered(
                response.call() + " answered " + response.status() + ": " + detail, response.status(), retryAfter);
    }

    private static Optional<Duration> seconds(String text) {
        try {
            long seconds = Long.parseLong(text.strip());
            return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The whole body. */
    byte[] bytes(Answered response) throws IOException {
        try {
            return bodies.read(response.body(), Integer.MAX_VALUE);
        } catch (IOException e) {
            throw RegistryException.unreachable(response.call() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
