package io.faasimage.adapter.contract;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A request for another number of replicas of a function.
 *
 * @param key the function
 * @param replicas wanted
 */
public record Scaling(FunctionKey key, int replicas) {
    private static final String NAMESPACE = "namespace=";

    /**
     * The body of a scale request; the gateway names the namespace in the query only. Empty when it is not one.
     *
     * @param uri path and query, undecoded
     */
    public static Optional<Scaling> parse(byte[] body, String uri, String defaultNamespace) {
        return Deployment.read(body)
                .filter(json -> json.path("replicas").isInt())
                .flatMap(json -> of(json, namespace(uri).orElse(defaultNamespace)));
    }

    private static Optional<Scaling> of(JsonNode json, String namespace) {
        return Deployment.key(json, "serviceName", namespace)
                .map(key -> new Scaling(key, json.path("replicas").asInt()));
    }

    private static Optional<String> namespace(String uri) {
        int query = uri.indexOf('?');
        if (query < 0) {
            return Optional.empty();
        }
        for (String parameter : uri.substring(query + 1).split("&")) {
            if (parameter.startsWith(NAMESPACE) && parameter.length() > NAMESPACE.length()) {
                try {
                    return Optional.of(
                            URLDecoder.decode(parameter.substring(NAMESPACE.length()), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
