package io.faasimage.builder.image;

import io.faasimage.builder.layer.LayerFile;
import io.faasimage.builder.layer.LayerWriter;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.PushedManifest;
import io.faasimage.refactor.image.ResolvedImage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The layers of a runtime's image, and above them those of a function. Its configuration is made here, since jib's own
 * layers cannot hold symbolic links.
 *
 * @param base the runtime's image
 * @param layers bottom first
 * @param purposes what each layer is, for the image's history
 * @param settings what the configuration says
 */
public record BuiltImage(ResolvedImage base, List<LayerFile> layers, List<String> purposes, ImageSettings settings) {
    /** Any number: containers of a node distinguish functions by other means. */
    private static final String USER = "1000:1000";

    /** Copies the lists. */
    public BuiltImage {
        layers = List.copyOf(layers);
        purposes = List.copyOf(purposes);
        if (layers.size() != purposes.size()) {
            throw new IllegalArgumentException("layers and purposes differ in number");
        }
    }

    /** The image configuration as JSON; equal images have equal bytes. */
    public byte[] configuration() {
        String created = Instant.ofEpochSecond(LayerWriter.TIME).toString();
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("User", USER);
        config.put("ExposedPorts", Map.of(settings.port() + "/tcp", Map.of()));
        config.put(
                "Env",
                settings.environment().entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
        config.put("Cmd", settings.command());
        config.put("WorkingDir", settings.workingDirectory());
        config.put("Labels", settings.labels());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("created", created);
        document.put("architecture", base.platform().architecture());
        base.platform().variant().ifPresent(variant -> document.put("variant", variant));
        document.put("os", base.platform().os());
        document.put("config", config);
        document.put("rootfs", rootfs());
        document.put("history", history(created));
        return JsonMapper.shared().writeValueAsBytes(document);
    }

    private Map<String, Object> rootfs() {
        Map<String, Object> rootfs = new LinkedHashMap<>();
        rootfs.put("type", "layers");
        rootfs.put(
                "diff_ids",
                Stream.concat(base.diffIds().stream(), layers.stream().map(LayerFile::diffId))
                        .map(Digest::toString)
                        .toList());
        return rootfs;
    }

    private List<Map<String, String>> history(String created) {
        List<Map<String, String>> history = new ArrayList<>();
        Stream.concat(base.layers().stream().map(layer -> "runtime"), purposes.stream())
                .forEach(purpose -> {
                    Map<String, String> step = new LinkedHashMap<>();
                    step.put("created", created);
                    step.put("created_by", "faasimage build: " + purpose);
                    history.add(step);
                });
        return history;
    }

    /** The manifest of the image with this configuration. */
    public PushedManifest manifest(byte[] configuration) {
        PushedManifest manifest = new PushedManifest(Digest.of(configuration), configuration.length);
        base.layers().forEach(layer -> manifest.addLayer(layer.digest(), layer.size()));
        layers.forEach(layer -> manifest.addLayer(layer.digest(), layer.size()));
        return manifest;
    }
}
