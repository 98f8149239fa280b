package io.faasimage.node.containerd.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciRegistry;
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

    private static final int MAX_DOCUMENT_BYTES = 8 << 20;

    /** Fetches the image's documents, each checked against its digest. */
    static ImageDocuments of(OciRegistry registry, ImageReference reference) throws IOException {
        Document root = manifest(registry, reference);
        JsonNode json = root.json();
        Document manifest = root;
        if (json.has("manifests")) {
            Descriptor chosen =
                    choose(json).orElseThrow(() -> new IOException(reference + " has no image for " + platform()));
            manifest = manifest(registry, reference.at(chosen.digest()));
            json = manifest.json();
        }
        Descriptor config = Descriptor.of(json.path("config"));
        Document configDocument = new Document(config, registry.blob(reference, config.digest(), MAX_DOCUMENT_BYTES));
        try {
            return new ImageDocuments(root, manifest, configDocument, layersOf(json), chainsOf(configDocument.json()));
        } catch (IllegalArgumentException e) {
            throw new IOException(reference + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** The layers of the manifest that a reference names by its digest, bottom first. */
    static List<Descriptor> layers(OciRegistry registry, ImageReference reference) throws IOException {
        return layersOf(manifest(registry, reference).json());
    }

    private static Document manifest(OciRegistry registry, ImageReference reference) throws IOException {
        OciRegistry.Manifest manifest = registry.manifest(reference, MAX_DOCUMENT_BYTES);
        int size = manifest.bytes().length;
        Document document =
                new Document(new Descriptor(manifest.mediaType(), manifest.digest(), size), manifest.bytes());
        String own = document.json().path("mediaType").asString(manifest.mediaType());
        return new Document(new Descriptor(own, manifest.digest(), size), manifest.bytes());
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
    private static Optional<Descriptor> choose(JsonNode index) throws IOException {
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

    private static String architecture() {
        String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "aarch64" -> "arm64";
            case "x86_64" -> "amd64";
            default -> name;
        };
    }

    private static List<Descriptor> layersOf(JsonNode manifest) throws IOException {
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
