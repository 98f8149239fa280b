package io.faasimage.oci;

import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.Referrers.Referrer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The image index that lists what refers to a manifest: the answer of a registry, or the content of a fall-back tag.
 * Only the entries of the wanted type are read, for others may have digests of another algorithm; all are kept.
 *
 * @param root not to be changed
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers">listing
 *     referrers</a>
 */
record ReferrerIndex(ObjectNode root) {
    static ReferrerIndex empty() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schemaVersion", 2).put("mediaType", OciRegistry.INDEX).putArray("manifests");
        return new ReferrerIndex(root);
    }

    static ReferrerIndex parse(byte[] json) throws OciException {
        JsonNode parsed;
        try {
            parsed = Json.mapper().readTree(json);
        } catch (JacksonException e) {
            throw new OciException(Kind.INVALID, "the list of referrers is not JSON", e);
        }
        if (parsed instanceof ObjectNode root && root.path("manifests") instanceof ArrayNode) {
            return new ReferrerIndex(root);
        }
        throw new OciException(Kind.INVALID, "the list of referrers is not an image index");
    }

    private List<JsonNode> entries() {
        return root.path("manifests").valueStream().toList();
    }

    boolean isEmpty() {
        return root.path("manifests").isEmpty();
    }

    boolean contains(Digest manifest) {
        return entries().stream().anyMatch(entry -> names(entry, manifest));
    }

    private static boolean names(JsonNode entry, Digest manifest) {
        return entry.path("digest").asString("").equals(manifest.toString());
    }

    /** Registries may ignore that only one type was requested. */
    List<Referrer> ofType(String artifactType) throws OciException {
        List<Referrer> found = new ArrayList<>();
        for (JsonNode entry : entries()) {
            String type = entry.path("artifactType").asString("");
            if (type.equals(artifactType)) {
                found.add(referrer(entry));
            } else if (type.isEmpty()) {
                untyped(entry).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Some tools that copy an index drop the type of its entries; one that cannot be read is another tool's. */
    private static Optional<Referrer> untyped(JsonNode entry) {
        try {
            return Optional.of(referrer(entry));
        } catch (OciException e) {
            return Optional.empty();
        }
    }

    private static Referrer referrer(JsonNode entry) throws OciException {
        JsonNode size = entry.path("size");
        if (!size.isIntegralNumber() || !size.canConvertToLong() || size.longValue() < 0) {
            throw new OciException(Kind.INVALID, "the list of referrers has an entry without a size");
        }
        Map<String, String> annotations = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> annotation : entry.path("annotations").properties()) {
            if (!annotation.getValue().isString()) {
                throw new OciException(Kind.INVALID, "the list of referrers has an annotation that is not a text");
            }
            annotations.put(annotation.getKey(), annotation.getValue().stringValue());
        }
        try {
            Digest digest = Digest.parse(entry.path("digest").asString(""));
            return new Referrer(digest, size.longValue(), annotations);
        } catch (IllegalArgumentException e) {
            throw new OciException(Kind.INVALID, "the list of referrers has an entry without a SHA-256 digest", e);
        }
    }

    ReferrerIndex with(Referrer artifact, String artifactType) {
        ObjectNode copy = root.deepCopy();
        ObjectNode entry = copy.withArray("manifests").addObject();
        entry.put("mediaType", OciRegistry.MANIFEST)
                .put("digest", artifact.manifest().toString())
                .put("size", artifact.size())
                .put("artifactType", artifactType);
        if (!artifact.annotations().isEmpty()) {
            ObjectNode annotations = entry.putObject("annotations");
            artifact.annotations().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(annotation -> annotations.put(annotation.getKey(), annotation.getValue()));
        }
        return new ReferrerIndex(copy);
    }

    ReferrerIndex without(Digest manifest) {
        ObjectNode copy = root.deepCopy();
        ArrayNode left = copy.putArray("manifests");
        entries().stream().filter(entry -> !names(entry, manifest)).forEach(left::add);
        return new ReferrerIndex(copy);
    }

    byte[] bytes() {
        return Json.mapper().writeValueAsBytes(root);
    }
}
