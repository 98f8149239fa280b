package io.faasimage.adapter.openwhisk;

import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Image references as an invoker derives them from the image names of users and manifests. */
final class InvokerImages {
    /** The characters of references; every registry refuses longer ones. */
    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,511}");

    private final String registry;

    /** With the invoker's setting {@code user-images-registry.url} or {@code runtimes-registry.url}; empty for none. */
    InvokerImages(String registry) {
        this.registry = registry.isEmpty() || registry.endsWith("/") ? registry : registry + "/";
    }

    /** The reference of an image's name as a string. */
    Optional<String> of(String name) {
        String reference = registry + name.strip();
        return REFERENCE.matcher(reference).matches() ? Optional.of(reference) : Optional.empty();
    }

    /** The reference of an image's name as a string, or as prefix, name and tag. */
    Optional<String> of(JsonNode image) {
        if (image.isString()) {
            return of(image.asString());
        }
        String name = image.path("name").asString("");
        String prefix = image.path("prefix").asString("");
        String tag = image.path("tag").asString("");
        return name.isEmpty()
                ? Optional.empty()
                : of((prefix.isEmpty() ? "" : prefix + "/") + name + (tag.isEmpty() ? "" : ":" + tag));
    }
}
