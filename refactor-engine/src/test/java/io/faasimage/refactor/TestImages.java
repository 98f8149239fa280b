package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/** A maker of images from layer tars: OCI layouts, docker-save archives. */
public final class TestImages {
    private TestImages() {}

    /** The stored form of a layer. */
    public enum Packing {
        PLAIN("application/vnd.oci.image.layer.v1.tar"),
        GZIP("application/vnd.oci.image.layer.v1.tar+gzip"),
        ZSTD("application/vnd.oci.image.layer.v1.tar+zstd");

        private final String mediaType;

        Packing(String mediaType) {
            this.mediaType = mediaType;
        }

        byte[] pack(byte[] tar) throws IOException {
            return switch (this) {
                case PLAIN -> tar;
                case GZIP -> {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    try (OutputStream gzip = new GZIPOutputStream(out)) {
                        gzip.write(tar);
                    }
                    yield out.toByteArray();
                }
                case ZSTD -> com.github.luben.zstd.Zstd.compress(tar);
            };
        }
    }

    /** A layer: its tar, and how it is stored. */
    public static final class Layer {
        private final byte[] tar;
        private final byte[] blob;
        private final Packing packing;

        public Layer(byte[] tar, Packing packing) throws IOException {
            this.tar = tar;
            this.packing = packing;
            this.blob = packing.pack(tar);
        }

        public Digest diffId() {
            return Digest.of(tar);
        }

        public byte[] blob() {
            return blob.clone();
        }
    }

    /** The configuration of an image of these layers. */
    public static String config(List<Layer> layers) {
        return configOf(layers.stream().map(Layer::diffId).toList());
    }

    private static String configOf(List<Digest> layers) {
        List<String> diffIds = new ArrayList<>();
        layers.forEach(diffId -> diffIds.add("\"" + diffId + "\""));
        return "{\"architecture\":\"amd64\",\"os\":\"linux\",\"config\":{\"Env\":[\"PATH=/bin\"],\"Labels\":{\"a\":\"b\"}},"
                + "\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[" + String.join(",", diffIds) + "]}}";
    }

    /** Writes an OCI layout with one image into {@code directory}; gives the manifest's digest. */
    public static Digest layout(Path directory, List<Layer> layers) throws IOException {
        return layout(directory, layers, layers.stream().map(Layer::diffId).toList());
    }

    /** The same with diff IDs that may be wrong. */
    public static Digest layout(Path directory, List<Layer> layers, List<Digest> diffIds) throws IOException {
        Files.createDirectories(directory.resolve("blobs/sha256"));
        Files.writeString(directory.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
        byte[] config = utf8(configOf(diffIds));
        List<String> descriptors = new ArrayList<>();
        for (Layer layer : layers) {
            descriptors.add(descriptor(layer.packing.mediaType, layer.blob));
            blob(directory, layer.blob);
        }
        blob(directory, config);
        byte[] manifest = utf8("{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\","
                + "\"config\":" + descriptor("application/vnd.oci.image.config.v1+json", config) + ",\"layers\":["
                + String.join(",", descriptors) + "]}");
        blob(directory, manifest);
        Files.writeString(directory.resolve("manifest"), new String(manifest, StandardCharsets.UTF_8));
        Files.writeString(
                directory.resolve("index.json"),
                "{\"schemaVersion\":2,\"manifests\":["
                        + descriptor("application/vnd.oci.image.manifest.v1+json", manifest) + "]}");
        return Digest.of(manifest);
    }

    /** Writes an image in the form of docker save before it wrote layouts, into a directory to be put into a tar. */
    public static void dockerSave(Path directory, List<Layer> layers, String tag) throws IOException {
        byte[] config = utf8(config(layers));
        String configName = Digest.of(config).hex() + ".json";
        Files.createDirectories(directory);
        Files.write(directory.resolve(configName), config);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            Files.createDirectories(directory.resolve("l" + i));
            Files.write(directory.resolve("l" + i + "/layer.tar"), layers.get(i).tar);
            names.add("\"l" + i + "/layer.tar\"");
        }
        Files.writeString(
                directory.resolve("manifest.json"),
                "[{\"Config\":\"" + configName + "\",\"RepoTags\":[\"" + tag + "\"],\"Layers\":["
                        + String.join(",", names) + "]}]");
    }

    private static void blob(Path directory, byte[] bytes) throws IOException {
        Files.write(directory.resolve("blobs/sha256/" + Digest.of(bytes).hex()), bytes);
    }

    private static String descriptor(String type, byte[] bytes) {
        return "{\"mediaType\":\"" + type + "\",\"digest\":\"" + Digest.of(bytes) + "\",\"size\":" + bytes.length + "}";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Runs a command and gives its output; an exit status other than 0 fails. */
    public static byte[] run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream in = process.getInputStream()) {
            byte[] output = in.readAllBytes();
            if (!process.waitFor(300, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("failed: " + String.join(" ", command));
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
