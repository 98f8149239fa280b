package io.faasimage.docker.container;

import io.faasimage.api.Json;
import io.faasimage.api.control.ControlClient;
import io.faasimage.docker.containerd.Images;
import io.faasimage.docker.spec.ImageConfig;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Images: what containerd has of them, and what the node agent pulls. Thread-safe. */
public final class ImageStore {
    private final Images images;
    private final ControlClient agent;
    private final String namespace;

    /**
     * Images in containerd's {@code namespace}.
     *
     * @param agent the node agent, which pulls
     */
    public ImageStore(Images images, ControlClient agent, String namespace) {
        this.images = images;
        this.agent = agent;
        this.namespace = namespace;
    }

    /**
     * Has the node agent pull an image; returns when containers may start.
     *
     * @return the manifest digest
     */
    public String pull(String image) throws IOException {
        JsonNode outcome =
                agent.call("pull", Map.of("image", ImageName.full(image), "namespace", namespace), event -> {});
        return outcome.path("digest").asString("");
    }

    /** The full name of an image. */
    public String fullName(String image) {
        return ImageName.full(image);
    }

    /** The manifest digest of an image; empty when it is not here. */
    public Optional<Digest> digest(String image) throws IOException {
        return images.target(ImageName.full(image));
    }

    /** An image that is here. */
    Optional<LocalImage> find(String image) throws IOException {
        String name = ImageName.full(image);
        Optional<Digest> target = images.target(name);
        return target.isEmpty() ? Optional.empty() : Optional.of(new LocalImage(name, config(name, target.get())));
    }

    private ImageConfig config(String name, Digest target) throws IOException {
        try {
            JsonNode manifest = json(target);
            if (manifest.has("manifests")) {
                manifest = json(platform(name, manifest));
            }
            String config = manifest.path("config").path("digest").asString("");
            return ImageConfig.parse(json(Digest.parse(config)));
        } catch (IllegalArgumentException | JacksonException e) {
            throw new IOException("image " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    private JsonNode json(Digest digest) throws IOException {
        return Json.mapper().readTree(images.read(digest));
    }

    private static Digest platform(String name, JsonNode index) throws IOException {
        String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String architecture = machine.equals("aarch64") ? "arm64" : machine;
        for (JsonNode entry : index.path("manifests")) {
            JsonNode platform = entry.path("platform");
            if (platform.path("os").asString("").equals("linux")
                    && platform.path("architecture").asString("").equals(architecture)) {
                return Digest.parse(entry.path("digest").asString(""));
            }
        }
        throw new IOException("image " + name + " has nothing for linux/" + architecture);
    }
}
