package io.faasimage.adapter;

import io.faasimage.api.Json;
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
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Lists the functions of an OpenFaaS provider (faasd, faas-netes) or of the gateway in front of it. Blocking. */
final class OpenFaasProvider implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ANSWER_BYTES = 64 << 20;

    private final URI base;
    private final Optional<String> authorization;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** A provider at {@code base}, with basic authentication {@code user:password} when it is given. */
    OpenFaasProvider(URI base, Optional<String> credentials) {
        this.base = base;
        this.authorization =
                credentials.map(c -> "Basic " + Base64.getEncoder().encodeToString(c.getBytes(StandardCharsets.UTF_8)));
    }

    /** The functions of every namespace. */
    List<DeployedFunction> functions() throws IOException {
        List<DeployedFunction> functions = new ArrayList<>();
        for (String namespace : namespaces()) {
            String query =
                    namespace.isEmpty() ? "" : "?namespace=" + URLEncoder.encode(namespace, StandardCharsets.UTF_8);
            for (JsonNode function : get("/system/functions" + query)) {
                String name = function.path("name").asString("");
                String image = function.path("image").asString("");
                if (!name.isEmpty() && !image.isEmpty()) {
                    functions.add(new DeployedFunction(name, namespace, image));
                }
            }
        }
        return functions;
    }

    /** Providers without namespaces answer 404 or 501, or an empty list: then there is the default one, "". */
    private List<String> namespaces() throws IOException {
        HttpResponse<InputStream> response = send("/system/namespaces");
        if (response.statusCode() == 404 || response.statusCode() == 501) {
            response.body().close();
            return List.of("");
        }
        List<String> names = new ArrayList<>();
        json(response).forEach(node -> names.add(node.asString("")));
        return names.isEmpty() ? List.of("") : names;
    }

    private JsonNode get(String path) throws IOException {
        return json(send(path));
    }

    private static JsonNode json(HttpResponse<InputStream> response) throws IOException {
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(MAX_ANSWER_BYTES);
            if (response.statusCode() != 200) {
                throw new IOException("GET " + response.uri() + " answered " + response.statusCode() + ": "
                        + new String(bytes, StandardCharsets.UTF_8).strip()
                        + (response.statusCode() == 401
                                ? "; give the provider's --user-file and --password-file"
                                : ""));
            }
            return Json.mapper().readTree(bytes);
        } catch (JacksonException e) {
            throw new IOException("GET " + response.uri() + " did not answer JSON; is it an OpenFaaS provider?", e);
        }
    }

    private HttpResponse<InputStream> send(String path) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT);
        authorization.ifPresent(value -> request.header("Authorization", value));
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking " + base, e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
