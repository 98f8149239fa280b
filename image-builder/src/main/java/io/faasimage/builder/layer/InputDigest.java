package io.faasimage.builder.layer;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;

/** The digest of what a layer is made from: texts and files, each with its length before it. Not thread-safe. */
public final class InputDigest {
    private static final int BUFFER = 64 << 10;

    private final MessageDigest hash = Digest.newSha256();

    /** Adds a text. */
    public InputDigest text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        length(bytes.length);
        hash.update(bytes);
        return this;
    }

    private void length(long length) {
        hash.update(ByteBuffer.allocate(Long.BYTES).putLong(length).flip());
    }

    /** Adds a file, a symbolic link, or all that is below a directory, with its paths relative to {@code top}. */
    public InputDigest tree(Path top, Path from) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.sorted((a, b) -> a.toString().compareTo(b.toString())).toList();
        }
        for (Path path : all) {
            text(top.relativize(path).toString());
            if (Files.isSymbolicLink(path)) {
                text("link").text(Files.readSymbolicLink(path).toString());
            } else if (Files.isRegularFile(path)) {
                text(Files.isExecutable(path) ? "program" : "file").file(path);
            } else {
                text("directory");
            }
        }
        return this;
    }

    /** Adds the content of a file. */
    public InputDigest file(Path file) throws IOException {
        length(Files.size(file));
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hash.update(buffer, 0, n);
            }
        }
        return this;
    }

    /** The digest of all that was added; nothing may be added after it. */
    public Digest digest() {
        return Digest.ofBytes(hash.digest());
    }
}
