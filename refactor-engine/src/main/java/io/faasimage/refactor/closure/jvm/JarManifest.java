package io.faasimage.refactor.closure.jvm;

import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A reader of the class path in the manifest of a Java archive, which is among its first entries. */
final class JarManifest {
    private static final int HEAD_BYTES = 1 << 20;
    private static final int MAX_ENTRIES = 16;
    private static final int MAX_PATHS = 1000;

    /** The names in {@code Class-Path}; none when the archive has no such manifest. */
    static final ContentParser<List<String>> CLASS_PATH = new Parser();

    private JarManifest() {}

    private static final class Parser implements ContentParser<List<String>> {
        @Override
        public List<String> parse(Content content) throws IOException {
            return classPath(content.head(HEAD_BYTES));
        }

        @Override
        public long weight(List<String> result, long read) {
            return StringWeight.of(result);
        }
    }

    private static List<String> classPath(byte[] head) {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(head))) {
            for (int i = 0; i < MAX_ENTRIES; i++) {
                ZipEntry entry = zip.getNextEntry();
                if (entry == null) {
                    return List.of();
                }
                if (entry.getName().equals("META-INF/MANIFEST.MF")) {
                    return paths(zip);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // The head of the archive, which is in memory, is damaged or ends in the middle of an entry.
            return List.of();
        }
        return List.of();
    }

    private static List<String> paths(InputStream manifest) throws IOException {
        byte[] text = manifest.readNBytes(HEAD_BYTES);
        String value =
                new Manifest(new ByteArrayInputStream(text)).getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        return value == null
                ? List.of()
                : Arrays.stream(value.strip().split("\\s+"))
                        .filter(path -> !path.isEmpty())
                        .limit(MAX_PATHS)
                        .toList();
    }
}
