package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A parser of the JSON of manifests, indexes and configurations.
 *
 * @see <a href="https://github.com/opencontainers/image-spec">OCI image specification</a>
 */
final class DocumentParser {
    private static final int MAX_LAYERS = 1024;
    private static final int MAX_ENTRIES = 4096;
    /** An index with as many entries as it may have needs 90,000; each takes up to 100 bytes of the heap. */
    private static final long MAX_TOKENS = 250_000;

    private static final JsonMapper JSON = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).build())
            .build());

    private final String image;

    /** A parser whose failures name {@code image}. */
    DocumentParser(String image) {
        this.image = image;
    }

    /** A manifest or an index. */
    ImageDocument document(String json) throws RefactorException {
        JsonNode root = tree(json, "manifest");
        if (root.path("schemaVersion").asInt(0) != 2) {
            throw new RefactorException(
                    Kind.UNSUPPORTED,
                    "the manifest of " + image + " has schema version "
                            + root.path("schemaVersion").asInt(0) + ", only 2 is supported: push the image again");
        }
        return root.has("manifests") ? index(root) : manifest(root);
    }

    private ImageDocument.Index index(JsonNode root) throws RefactorException {
        List<ImageDocument.Entry> entries = new ArrayList<>();
        for (JsonNode node : bounded(root.path("manifests"), MAX_ENTRIES, "images in the index")) {
            JsonNode platform = node.path("platform");
            Optional<Platform> parsed = text(platform, "os").isEmpty()
                            || text(platform, "architecture").isEmpty()
                    ? Optional.empty()
                    : Optional.of(platform(platform));
            JsonNode annotations = node.path("annotations");
            String name = text(annotations, "org.opencontainers.image.ref.name");
            entries.add(new ImageDocument.Entry(
                    digest(node.path("digest")),
                    size(node),
                    text(node, "mediaType"),
                    parsed,
                    name.isEmpty() ? Optional.empty() : Optional.of(name)));
        }
        return new ImageDocument.Index(entries);
    }

    private ImageDocument.Manifest manifest(JsonNode root) throws RefactorException {
        List<LayerDescriptor> layers = new ArrayList<>();
        for (JsonNode node : bounded(root.path("layers"), MAX_LAYERS, "layers")) {
            layers.add(new LayerDescriptor(digest(node.path("digest")), size(node), text(node, "mediaType")));
        }
        JsonNode config = root.path("config");
        return new ImageDocument.Manifest(digest(config.path("digest")), size(config), layers);
    }

    /** An image configuration. */
    ImageDocument.Configuration configuration(String json) throws RefactorException {
        JsonNode root = tree(json, "configuration");
        List<Digest> diffIds = new ArrayList<>();
        for (JsonNode node : bounded(root.path("rootfs").path("diff_ids"), MAX_LAYERS, "diff IDs")) {
            diffIds.add(digest(node));
        }
        if (text(root, "os").isEmpty() || text(root, "architecture").isEmpty()) {
            throw invalid("the configuration names no platform", null);
        }
        JsonNode config = root.path("config");
        Map<String, String> labels = new LinkedHashMap<>();
        config.path("Labels")
                .properties()
                .forEach(e -> labels.put(e.getKey(), e.getValue().asString("")));
        List<String> ports = new ArrayList<>();
        config.path("ExposedPorts").properties().forEach(e -> ports.add(e.getKey()));
        return new ImageDocument.Configuration(
                platform(root),
                diffIds,
                new ImageConfig(
                        strings(config.path("Env")),
                        labels,
                        strings(config.path("Entrypoint")),
                        strings(config.path("Cmd")),
                        ports,
                        text(config, "WorkingDir"),
                        text(config, "User")));
    }

    /** The first images of Docker's {@code manifest.json}. */
    List<SavedImage> savedImages(String json) throws RefactorException {
        List<SavedImage> images = new ArrayList<>();
        for (JsonNode node : bounded(tree(json, "manifest.json"), MAX_ENTRIES, "images")) {
            images.add(
                    new SavedImage(text(node, "Config"), strings(node.path("RepoTags")), strings(node.path("Layers"))));
        }
        return images;
    }

    /** One image of Docker's {@code manifest.json}: names of entries in the archive. */
    record SavedImage(String config, List<String> tags, List<String> layers) {}

    private JsonNode tree(String json, String what) throws RefactorException {
        try {
            return JSON.readTree(json);
        } catch (JacksonException e) {
            throw invalid("the " + what + " is not JSON", e);
        }
    }

    private Iterable<JsonNode> bounded(JsonNode array, int limit, String what) throws RefactorException {
        if (!array.isArray() || array.isEmpty()) {
            throw invalid("no " + what, null);
        }
        if (array.size() > limit) {
            throw new RefactorException(
                    Kind.LIMIT, image + " has " + array.size() + " " + what + ", the limit is " + limit);
        }
        return array;
    }

    private Digest digest(JsonNode node) throws RefactorException {
        try {
            return Digest.parse(node.asString(""));
        } catch (IllegalArgumentException e) {
            // Without its actual type: a reference can point to any document.
            throw invalid("a digest in it is not a sha256 digest", e);
        }
    }

    private long size(JsonNode node) throws RefactorException {
        long size = node.path("size").asLong(-1);
        if (size < 0) {
            throw invalid("a descriptor has no size", null);
        }
        return size;
    }

    private static Platform platform(JsonNode node) {
        String variant = text(node, "variant");
        return new Platform(
                text(node, "os"),
                text(node, "architecture"),
                variant.isEmpty() ? Optional.empty() : Optional.of(variant));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static List<String> strings(JsonNode array) {
        List<String> values = new ArrayList<>();
        for (JsonNode node : array) {
            values.add(node.asString(""));
        }
        return values;
    }

    private RefactorException invalid(String what, @org.jspecify.annotations.Nullable Throwable cause) {
        String message = "the image " + image + " is not valid: " + what;
        return cause == null
                ? new RefactorException(Kind.INVALID, message)
                : new RefactorException(Kind.INVALID, message, cause);
    }
}
