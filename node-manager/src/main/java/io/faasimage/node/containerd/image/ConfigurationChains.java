package io.faasimage.node.containerd.image;

import io.faasimage.format.id.ChainId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chain IDs that an image's configuration gives to containerd. Its JSON parser (Go, encoding/json) takes names in
 * any case and merges duplicate names, so a document where the two parsers may differ is not decided here.
 */
final class ConfigurationChains {
    private static final String ROOTFS = "rootfs";
    private static final String DIFF_IDS = "diff_ids";
    private static final int MOST_LAYERS = 1024;
    private static final JsonMapper STRICT = ImageDocuments.JSON
            .rebuild()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private ConfigurationChains() {}

    /**
     * The layers' chain IDs, bottom first; none when it is an artifact's configuration, empty when that cannot be
     * decided.
     */
    static Optional<List<ChainId>> of(byte[] configuration) {
        try {
            JsonNode document = STRICT.readTree(configuration);
            if (!document.isObject() || !names(document, ROOTFS)) {
                return document.isObject() ? Optional.of(List.of()) : Optional.empty();
            }
            JsonNode rootfs = document.path(ROOTFS);
            return rootfs.isObject()
                            && onlyName(document, ROOTFS)
                            && onlyName(rootfs, DIFF_IDS)
                            && rootfs.path(DIFF_IDS).size() <= MOST_LAYERS
                    ? Optional.of(ImageDocuments.chainsOf(document))
                    : Optional.empty();
        } catch (JacksonException | IOException e) {
            return Optional.empty();
        }
    }

    private static boolean names(JsonNode object, String name) {
        return object.propertyNames().stream().anyMatch(name::equalsIgnoreCase);
    }

    private static boolean onlyName(JsonNode object, String name) {
        return object.path(name).isContainer()
                && object.propertyNames().stream()
                                .filter(name::equalsIgnoreCase)
                                .count()
                        == 1;
    }
}
