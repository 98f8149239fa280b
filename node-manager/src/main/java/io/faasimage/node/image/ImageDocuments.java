package io.faasimage.node.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON documents of an image: the target of the reference (an index or a manifest), this machine's manifest and its
 * config.
 *
 * @param root the target of the reference
 * @param manifest this machine's manifest; the same as the root when that is no index
 * @param config the config
 * @param layers the layers' descriptors, bottom first
 * @param chains the chain IDs of the layers, bottom first
 */
public record ImageDocuments(
        Document root, Document manifest, Document config, List<Descriptor> layers, List<ChainId> chains) {
    /** For documents from anywhere: their size in memory is bounded. */
    static final JsonMapper JSON = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxTokenCount(100_000).build())
            .build());

    /** Copies the lists and checks that there is one diff ID for each layer. */
    public ImageDocuments {
        layers = List.copyOf(layers);
        chains = List.copyOf(chains);
        if (layers.isEmpty() || layers.size() != chains.size()) {
            throw new IllegalArgumentException(
                    "the manifest has " + layers.size() + " layers and the config " + chains.size() + " diff IDs");
        }
    }

    /**
     * A document with its bytes, whose digest has been checked.
     *
     * @param descriptor of the bytes
     * @param bytes not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Document(Descriptor descriptor, byte[] bytes) {
        JsonNode json() throws IOException {
            try {
                return JSON.readTree(bytes);
            } catch (JacksonException e) {
                throw new IOException(
                        descriptor.digest() + " is not JSON, or more than an image needs: " + e.getOriginalMessage(),
                        e);
            }
        }
    }

    /** The chain ID of the whole image. */
    public ChainId top() {
        return chains.getLast();
    }

    /** Whether the reference names an index of several platforms. */
    public boolean isIndex() {
        return !root.descriptor().digest().equals(manifest.descriptor().digest());
    }

    /** Compressed bytes of all layers. */
    public long layerBytes() {
        return layers.stream().mapToLong(Descriptor::size).sum();
    }

    /** The manifest for Linux on this machine's processor in an index. */
    static Optional<Descriptor> choose(JsonNode index) throws IOException {
        String architecture = architecture();
        for (JsonNode entry : index.path("manifests")) {
            JsonNode platform = entry.path("platform");
            if (platform.path("os").asString("").equals("linux")
                    && platform.path("architecture").asString("").equals(architecture)) {
                return Optional.of(Descriptor.of(entry));
            }
        }
        return Optional.empty();
    }

    /** The platform of this machine, in the words of OCI image indexes. */
    public static String platform() {
        return "linux/" + architecture();
    }

    static String architecture() {
        String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "aarch64" -> "arm64";
            case "x86_64" -> "amd64";
            default -> name;
        };
    }

    static List<Descriptor> layersOf(JsonNode manifest) throws IOException {
        List<Descriptor> layers = new ArrayList<>();
        for (JsonNode layer : manifest.path("layers")) {
            layers.add(Descriptor.of(layer));
        }
        return layers;
    }

    static List<ChainId> chainsOf(JsonNode config) throws IOException {
        List<Digest> diffIds = new ArrayList<>();
        try {
            for (JsonNode diffId : config.path("rootfs").path("diff_ids")) {
                diffIds.add(Digest.parse(diffId.asString("")));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the image's config has a malformed diff ID: " + e.getMessage(), e);
        }
        return ChainId.ofLayers(diffIds);
    }
}
