package io.faasimage.linux;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Paths as the kernel's bytes. */
final class PathBytes {
    private static final Charset NATIVE =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);

    private PathBytes() {}

    static byte[] of(Path path) {
        return of(path.toString());
    }

    static byte[] of(String text) {
        return text.getBytes(NATIVE);
    }

    static String text(byte[] bytes) {
        return new String(bytes, NATIVE);
    }
}
