package io.faasimage.api.client;

import io.faasimage.api.client.Addresses.Address;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Problem;
import io.faasimage.api.rest.RequestId;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HeaderElements;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests to registry-service, and the common handling of their answers: a status other than success is a
 * {@link ServiceException} with the service's own words. Thread-safe; blocking.
 */
final class ServiceCalls implements AutoCloseable {
    /** Of an answer without a body, to a request that names the contents that its sender has. */
    static final int NOT_MODIFIED = 304;

    private static final int MAX_PROBLEM_BYTES = 64 * 1024;

    /** Of an answer that is kept in memory: a plan, or a list of all functions. */
    private static final int MAX_ANSWER_BYTES =
            maxAnswerBytes(Runtime.getRuntime().maxMemory());

    private static final int MOST_ANSWER_BYTES = 64 << 20;
    private static final int LEAST_ANSWER_BYTES = 16 << 20;

    /** A server that refuses a request reads its body all the same, so that its answer arrives; Tomcat up to 2 MB. */
    private static final int SWALLOWED_BYTES = 1 << 20;

    /** For a whole body that comes slowly, such as a plan over a slow link. */
    private static final Duration BODY_CAP = Duration.ofMinutes(10);

    private final ServiceConfig config;
    private final Addresses addresses;
    private final BoundedBody bodies;
    private final JsonMapper json = Json.mapper();

    /** A request that is being made. */
    static final class Call {
        private final String method;
        private final String path;
        private final String id;
        private final Map<String, String> headers;
        private HttpEntity body = entity(new byte[0], "application/json");
        private boolean repeatable;

        private Call(String method, String path, String id, Map<String, String> headers) {
            this.method = method;
            this.path = path;
            this.id = id;
            this.headers = headers;
            this.repeatable = !method.equals("POST");
        }

        Call header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        Call with(byte[] content, String type) {
            return with(entity(content.clone(), type));
        }

        Call with(HttpEntity entity) {
            body = entity;
            return this;
        }

        private static HttpEntity entity(byte[] content, String type) {
            return new ByteArrayEntity(content, ContentType.parseLenient(type));
        }

        /** The request changes nothing, although it is a POST. */
        Call repeatable() {
            repeatable = true;
            return this;
        }

        private BasicClassicHttpRequest request(Address address) {
            BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, address.uri(path));
            headers.forEach(request::setHeader);
            if (method.equals("POST") || method.equals("PUT")) {
                // Also without content: some proxies insist on its length.
                request.setEntity(body);
            }
            if (body.getContentLength() > SWALLOWED_BYTES) {
                // RFC 9110, section 10.1.1: a refusal comes before the body is sent, and is not lost with it.
                request.setHeader(HttpHeaders.EXPECT, HeaderElements.CONTINUE);
            }
            return request;
        }

        private String at(Address address) {
            return method + " " + address.uri(path);
        }
    }

    /**
     * The beginning of an answer.
     *
     * @param call the request
     * @param requestId its ID in the service's log
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

    ServiceCalls(ServiceConfig config) {
        this.config = config;
        this.bodies = new BoundedBody(config.answerTimeout(), BODY_CAP);
        this.addresses = new Addresses(config, System::nanoTime);
    }

    /** An eighth of the heap: a list is read into objects that take several times its bytes. */
    static int maxAnswerBytes(long heapBytes) {
        return Math.clamp(heapBytes / 8, LEAST_ANSWER_BYTES, MOST_ANSWER_BYTES);
    }

    Call get(String path) {
        return request("GET", path);
    }

    Call post(String path, byte[] body, String contentType) {
        return request("POST", path).with(body, contentType);
    }

    Call request(String method, String path) {
        String id = RequestId.create();
        return new Call(method, path, id, headers(id));
    }

    private Map<String, String> headers(String id) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(RequestId.HEADER, id);
        Optional<String> token = config.token();
        if (token.isPresent()) {
            // Programs check that when they start, and name their option.
            config.transport().check(config.addresses(), "the option that permits it");
            headers.put("Authorization", "Bearer " + token.get());
        }
        return headers;
    }

    /**
     * Sends it to one address after the other until one answers as it should, as far as the request may be repeated.
     */
    Answered send(Call call) throws IOException {
        List<Address> inOrder = addresses.inOrder();
        for (int i = 0; ; i++) {
            Address address = inOrder.get(i);
            try {
                Answered answer = sendTo(address, call);
                addresses.succeeded(address);
                return answer;
            } catch (ServiceException e) {
                if (e.status() != 0 && e.status() < 500) {
                    throw e;
                }
                addresses.failed(address);
                if (i + 1 == inOrder.size() || !(call.repeatable || e.notConnected())) {
                    throw e;
                }
            }
        }
    }

    private Answered sendTo(Address address, Call call) throws IOException {
        try {
            Connections.Answer answer =
                    address.connections().send(address.base(), call.request(address), call.repeatable);
            return right(new Answered(
                    call.at(address),
                    call.id,
                    answer.status(),
                    answer::header,
                    new WatchedBody(answer.body(), () -> addresses.failed(address)),
                    answer.length()));
        } catch (ServiceException e) {
            throw e;
        } catch (IOException e) {
            throw noAnswer(call.at(address), address.base(), e);
        }
    }

    /** A body whose failure counts as its address's, so that the rest is requested from another address first. */
    private static final class WatchedBody extends FilterInputStream {
        private final Runnable failed;

        WatchedBody(InputStream in, Runnable failed) {
            super(in);
            this.failed = failed;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            try {
                return super.read(buffer, offset, length);
            } catch (IOException e) {
                failed.run();
                throw e;
            }
        }
    }

    private static ServiceException noAnswer(String call, URI base, IOException e) {
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return ServiceException.unreachable(
                call + " got no answer (" + reason + "); is registry-service running at " + base + "?", e);
    }

    private Answered right(Answered answer) throws ServiceException {
        if (answer.status() / 100 == 2 || answer.status() == NOT_MODIFIED) {
            return answer;
        }
        throw failure(answer, problem(answer));
    }

    /** The readable part of a failure's body: its status is worth more than its text. */
    private byte[] problem(Answered response) {
        try {
            return bodies.read(response.body(), MAX_PROBLEM_BYTES);
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
        }
    }

    private ServiceException failure(Answered response, byte[] body) {
        String detail = new String(body, StandardCharsets.UTF_8).strip();
        boolean isProblem = false;
        try {
            Problem problem = json.readValue(body, Problem.class);
            if (problem.detail() != null) {
                detail = problem.detail();
                isProblem = true;
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
            detail = detail + " (see its log for request " + response.requestId() + ")";
        }
        Optional<Duration> retryAfter = response.header("Retry-After").flatMap(ServiceCalls::seconds);
        return ServiceException.answered(
                response.call() + " answered " + response.status() + ": " + detail,
                response.status(),
                retryAfter,
                isProblem ? Optional.of(detail) : Optional.empty());
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
            return bodies.whole(response.body(), MAX_ANSWER_BYTES);
        } catch (IOException e) {
            throw ServiceException.unreachable(response.call() + ": " + e.getMessage(), e);
        }
    }

    /** The whole body as a record, or records. */
    <T> T read(Answered response, TypeReference<T> type) throws IOException {
        byte[] body = bytes(response);
        try {
            return json.readValue(body, type);
        } catch (JacksonException e) {
            throw ServiceException.unreachable(
                    response.call() + " answered something that is not this version's JSON; is it a registry-service?",
                    e);
        }
    }

    byte[] json(Object value) {
        return json.writeValueAsBytes(value);
    }

    /** Text as one segment of a path, or the value of a parameter. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Filters as the query of an address. */
    static String query(Map<String, String> filters) {
        return filters.isEmpty()
                ? ""
                : filters.entrySet().stream()
                        .map(filter -> filter.getKey() + "=" + segment(filter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    @Override
    public void close() {
        addresses.close();
    }
}
