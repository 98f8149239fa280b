package io.faasimage.adapter.contract;

import io.faasimage.api.rest.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A function and the image it runs.
 *
 * @param key the function
 * @param image reference as deployed
 */
public record Deployment(FunctionKey key, String image) {
    /** The body of a deploy or update request; empty when that does not name a function and an image. */
    public static Optional<Deployment> parse(byte[] body, String defaultNamespace) {
        return read(body)
                .flatMap(json -> key(json, "service", defaultNamespace)
                        .filter(key -> !text(json, "image").isEmpty())
                        .map(key -> new Deployment(key, text(json, "image"))));
    }

    /** The body of a delete request; empty when that does not name a function. */
    public static Optional<FunctionKey> deleted(byte[] body, String defaultNamespace) {
        return read(body).flatMap(json -> key(json, "functionName", defaultNamespace));
    }

    static Optional<JsonNode> read(byte[] body) {
        try {
            return Optional.ofNullable(Json.mapper().readTree(body)).filter(JsonNode::isObject);
        } catch (JacksonException e) {
            // The provider refuses it.
            return Optional.empty();
        }
    }

    static Optional<FunctionKey> key(JsonNode json, String field, String defaultNamespace) {
        String name = text(json, field);
        String namespace = text(json, "namespace");
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(new FunctionKey(name, namespace.isEmpty() ? defaultNamespace : namespace));
    }

    static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isString() ? value.asString() : "";
    }
}
