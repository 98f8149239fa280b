package io.faasimage.adapter.openwhisk;

import io.faasimage.adapter.openwhisk.ImageChange.Register;
import io.faasimage.adapter.openwhisk.ImageChange.Release;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * An observer of exchanges between clients and the controller that recognises the actions whose images will be started.
 * Thread-safe; neither blocks nor throws, whatever is sent.
 */
public final class ActionObserver {
    private final InvokerImages images;

    /**
     * An observer.
     *
     * @param userImagesRegistry the invokers' {@code whisk.container-factory.user-images-registry.url}; empty for none
     */
    public ActionObserver(String userImagesRegistry) {
        this.images = new InvokerImages(userImagesRegistry);
    }

    /** Whether the body of such a request is worth keeping until the answer has come. */
    public boolean isOfInterest(String method, String path) {
        return (method.equals("PUT") || method.equals("DELETE"))
                && ActionPath.parse(path).isPresent();
    }

    /**
     * The change that an exchange means.
     *
     * @param method of the request
     * @param path path and query as they came, undecoded
     * @param authorization of the request as it came; empty without one
     * @param body of the request; empty when it was too long to be kept
     * @param status of the controller's answer
     */
    public Optional<ImageChange> observe(String method, String path, String authorization, byte[] body, int status) {
        Optional<ActionPath> action = status / 100 == 2 ? ActionPath.parse(path) : Optional.empty();
        if (action.isEmpty()) {
            return Optional.empty();
        }
        String function = FunctionNames.of(action.get(), caller(authorization));
        return switch (method) {
            case "PUT" -> put(function, body);
            case "DELETE" -> Optional.of(new Release(function));
            default -> Optional.empty();
        };
    }

    /** The caller of a request, distinguished without keeping its credentials. */
    private static String caller(String authorization) {
        return authorization.isEmpty()
                ? "nobody"
                : Digest.of(authorization.getBytes(StandardCharsets.UTF_8)).hex();
    }

    private Optional<ImageChange> put(String function, byte[] body) {
        JsonNode exec;
        try {
            exec = Json.mapper().readTree(body).path("exec");
        } catch (JacksonException e) {
            return Optional.empty();
        }
        String kind = exec.path("kind").asString("");
        if (kind.equals("blackbox")) {
            return images.of(exec.path("image")).map(image -> new Register(function, image));
        }
        // An update of limits alone has no kind; with another kind the action starts from a runtime's image from now
        // on.
        return kind.isEmpty() ? Optional.empty() : Optional.of(new Release(function));
    }
}
