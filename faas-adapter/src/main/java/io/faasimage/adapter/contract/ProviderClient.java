package io.faasimage.adapter.contract;

import io.faasimage.api.client.BoundedBody;
import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A client that lists the functions of a provider. Blocking, bounded in time and size; thread-safe. */
public final class ProviderClient implements AutoCloseable {
    private static final Duration WHOLE_ANSWER = Duration.ofMinutes(1);
    /** Of a list of functions; as a tree it takes several times its bytes of a heap of 96 MiB. */
    private static final int MAX_ANSWER_BYTES = 8 << 20;

    private final URI base;
    private final Optional<String> authorization;
    private final String defaultNamespace;
    private final Duration patience;
    private final BoundedBody bodies;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    /**
     * A client of the provider at {@code base}.
     *
     * @param authorization value of the header, when the provider needs one
     * @param defaultNamespace of functions that are deployed without one
     * @param patience for an answer's beginning, and for each next byte of it
     */
    public ProviderClient(URI base, Optional<String> authorization, String defaultNamespace, Duration patience) {
        this.base = base;
        this.authorization = authorization;
        this.defaultNamespace = defaultNamespace;
        this.patience = patience;
        this.bodies = new BoundedBody(patience, WHOLE_ANSWER);
    }

    /** The functions of every namespace. */
    public List<ListedFunction> functions() throws IOException {
        List<ListedFunction> functions = new ArrayList<>();
        for (String namespace : namespaces()) {
            JsonNode listed =
                    json(send("/system/functions?namespace=" + URLEncoder.encode(namespace, StandardCharsets.UTF_8)));
            for (JsonNode function : listed) {
                Deployment.key(function, "name", namespace)
                        .filter(key -> !Deployment.text(function, "image").isEmpty())
                        .map(key -> new Deployment(key, Deployment.text(function, "image")))
                        .map(deployment -> new ListedFunction(
                                deployment, function.path("replicas").asInt(0)))
                        .ifPresent(functions::add);
            }
        }
        return functions;
    }

    /** The namespaces; the default one when the provider has none and answers 404, 501 or an empty list. */
    private List<String> namespaces() throws IOException {
        HttpResponse<InputStream> response = send("/system/namespaces");
        if (response.statusCode() == 404 || response.statusCode() == 501) {
            response.body().close();
            return List.of(defaultNamespace);
        }
        List<String> names = new ArrayList<>();
        json(response).forEach(node -> names.add(node.asString("")));
        names.removeIf(String::isEmpty);
        return names.isEmpty() ? List.of(defaultNamespace) : names;
    }

    private JsonNode json(HttpResponse<InputStream> response) throws IOException {
        try {
            byte[] bytes = bodies.whole(response.body(), MAX_ANSWER_BYTES);
            if (response.statusCode() != 200) {
                throw new IOException("GET " + response.uri() + " answered " + response.statusCode() + ": "
                        + new String(bytes, StandardCharsets.UTF_8).strip()
                        + (response.statusCode() == 401
                                ? "; set the provider's --faasimage.provider-user-file and"
                                        + " --faasimage.provider-password-file"
                                : ""));
            }
            return Json.mapper().readTree(bytes);
        } catch (JacksonException e) {
            throw new IOException("GET " + response.uri() + " did not answer JSON; is it an OpenFaaS provider?", e);
        }
    }

    private HttpResponse<InputStream> send(String path) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(patience);
        authorization.ifPresent(value -> request.header("Authorization", value));
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking " + base, e);
        } catch (IOException e) {
            throw new IOException(
                    "the provider at " + base + " did not answer GET " + path + ": "
                            + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
                    e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
