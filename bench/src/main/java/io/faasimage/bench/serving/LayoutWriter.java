package io.faasimage.bench.serving;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A writer of an OCI layout with one image of one layer. Not thread-safe. */
final class LayoutWriter {
    private static final int BLOCK = 512;

    private final Path directory;

    LayoutWriter(Path directory) {
        this.directory = directory;
    }

    /** The writer of the layer's contents. */
    @FunctionalInterface
    interface Layer {
        void writeTo(Tar tar) throws IOException;
    }

    /** The layer's tar. */
    static final class Tar {
        private final OutputStream out;

        private Tar(OutputStream out) {
            this.out = out;
        }

        /** Appends a file; {@code path} has at most 100 bytes. */
        void file(String path, byte[] content) throws IOException {
            byte[] head = new byte[BLOCK];
            put(head, 0, path);
            put(head, 100, "0000644\0000000000\0000000000\0");
            put(head, 124, "%011o\000%011o\0".formatted(content.length, 0));
            put(head, 148, "        0");
            put(head, 257, "ustar\00000");
            int sum = 0;
            for (byte b : head) {
                sum += b;
            }
            put(head, 148, "%06o\0 ".formatted(sum));
            out.write(head);
            out.write(content);
            out.write(new byte[Math.floorMod(-content.length, BLOCK)]);
        }

        private static void put(byte[] head, int at, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, head, at, bytes.length);
        }
    }

    /** Writes the image; returns its chain. */
    ChainId write(Layer content) throws IOException {
        Files.createDirectories(directory.resolve("blobs/sha256"));
        Path file = directory.resolve("layer.tar");
        try (OutputStream out = new java.io.BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            content.writeTo(new Tar(out));
            out.write(new byte[2 * BLOCK]);
        }
        Digest layer = Digest.of(Files.readAllBytes(file));
        long size = Files.size(file);
        Files.move(file, blob(layer));
        String architecture =
                System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("aarch64") ? "arm64" : "amd64";
        String config = store("""
                {"architecture":"%s","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":["%s"]}}""".formatted(architecture, layer));
        String manifest = store("""
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",\
                "config":{"mediaType":"application/vnd.oci.image.config.v1+json",%s},\
                "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"%s","size":%d}]}""".formatted(config, layer, size));
        Files.writeString(directory.resolve("index.json"), """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json",\
                "manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json",%s}]}""".formatted(manifest));
        Files.writeString(directory.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
        return ChainId.ofBase(layer);
    }

    private Path blob(Digest digest) {
        return directory.resolve("blobs/sha256").resolve(digest.hex());
    }

    private String store(String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        Digest digest = Digest.of(bytes);
        Files.write(blob(digest), bytes);
        return "\"digest\":\"%s\",\"size\":%d".formatted(digest, bytes.length);
    }
}
