package io.faasimage.registry;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * An OCI layout directory with an image of one layer.
 *
 * @param directory of the layout
 * @param chain of the image
 */
public record LayoutImage(Path directory, ChainId chain) {
    private static final int EXECUTABLE = 0100755;

    /** Writes the layout; {@code files} are contents by path, and the first word of {@code command} is one of them. */
    public static LayoutImage write(Path directory, Map<String, byte[]> files, String... command) throws IOException {
        Files.createDirectories(directory.resolve("blobs/sha256"));
        byte[] layer = tar(files);
        Digest diffId = blob(directory, layer);
        String config = """
                {"architecture":"%s","os":"linux","config":{"Cmd":%s},"rootfs":{"type":"layers","diff_ids":["%s"]}}""".formatted(
                        System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64", words(command), diffId);
        byte[] configBytes = config.getBytes(StandardCharsets.UTF_8);
        String manifest = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
                "config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"%s","size":%d},
                "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"%s","size":%d}]}""".formatted(blob(directory, configBytes), configBytes.length, diffId, layer.length);
        byte[] manifestBytes = manifest.getBytes(StandardCharsets.UTF_8);
        String index = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[
                {"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"%s","size":%d}]}""".formatted(blob(directory, manifestBytes), manifestBytes.length);
        Files.writeString(directory.resolve("index.json"), index);
        Files.writeString(directory.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
        return new LayoutImage(directory, ChainId.ofBase(diffId));
    }

    private static String words(String... command) {
        return Arrays.stream(command).map(word -> '"' + word + '"').collect(Collectors.joining(",", "[", "]"));
    }

    private static Digest blob(Path directory, byte[] content) throws IOException {
        Digest digest = Digest.of(content);
        Files.write(directory.resolve("blobs/sha256").resolve(digest.hex()), content);
        return digest;
    }

    private static byte[] tar(Map<String, byte[]> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
            tar.setAddPaxHeadersForNonAsciiNames(true);
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
                entry.setSize(file.getValue().length);
                entry.setModTime(0);
                entry.setMode(EXECUTABLE);
                tar.putArchiveEntry(entry);
                tar.write(file.getValue());
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }
}
