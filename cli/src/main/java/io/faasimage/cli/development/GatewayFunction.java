package io.faasimage.cli.development;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A function behind an OpenFaaS gateway, updated as {@code faas-cli deploy} does, and left there.
 *
 * @see <a href="https://docs.openfaas.com/reference/rest-api/">OpenFaaS' REST API</a>
 */
final class GatewayFunction implements Deployment {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int NOT_FOUND = 404;

    private final URI gateway;
    private final Optional<String> authorization;
    private final String function;
    private final Optional<String> namespace;
    private final String path;
    private final HttpClient http = HttpClient.newHttpClient();
    private final FirstAnswer answer = new FirstAnswer();

    /**
     * Deploys {@code function} through {@code gateway}.
     *
     * @param password of the user {@code admin}; empty for a gateway without sign-in
     * @param namespace of the function; empty for the gateway's default
     * @param path of the function that is requested until it answers
     */
    GatewayFunction(URI gateway, Optional<String> password, String function, Optional<String> namespace, String path) {
        this.gateway = gateway;
        this.authorization = password.map(secret ->
                "Basic " + Base64.getEncoder().encodeToString(("admin:" + secret).getBytes(StandardCharsets.UTF_8)));
        this.function = function;
        this.namespace = namespace;
        this.path = path;
    }

    @Override
    public Deployed deploy(String image, CycleClock clock) throws IOException {
        Map<String, String> deployment = new LinkedHashMap<>();
        deployment.put("service", function);
        deployment.put("image", image);
        namespace.ifPresent(name -> deployment.put("namespace", name));
        byte[] body = Json.mapper().writeValueAsBytes(deployment);
        HttpResponse<String> answered = send("PUT", body);
        if (answered.statusCode() == NOT_FOUND) {
            answered = send("POST", body);
        }
        if (answered.statusCode() / 100 != 2) {
            throw new IOException("the gateway " + gateway + " did not deploy " + function + ": status "
                    + answered.statusCode() + ": " + answered.body().strip());
        }
        clock.end("deploy");
        URI address = gateway.resolve(
                "/function/" + function + namespace.map(name -> "." + name).orElse(""));
        answer.await(URI.create(address + path), () -> {});
        clock.end("start");
        return new Deployed(address.toString(), Optional.empty());
    }

    private HttpResponse<String> send(String method, byte[] body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.resolve("/system/functions"))
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        authorization.ifPresent(value -> request.header("Authorization", value));
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the gateway deployed " + function);
        } catch (IOException e) {
            throw new IOException("no answer from the gateway " + gateway + ": " + e, e);
        }
    }

    /** The function stays deployed. */
    @Override
    public void close() {
        http.close();
    }
}
