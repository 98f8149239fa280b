package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A compressor of whole files, each into one zstd frame that contains the content size. */
public final class CompressedFile {
    private static final int BUFFER = 256 << 10;

    private CompressedFile() {}

    /**
     * Compresses {@code source}, whose content has this digest, into the new file {@code target}; returns its size in
     * bytes.
     */
    public static long write(Path source, Digest digest, int level, Path target) throws IOException {
        long size = Files.size(source);
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(source);
                FrameFile file = new FrameFile(target);
                FrameStream frame = new FrameStream(file)) {
            frame.begin(size, level);
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                frame.write(buffer, 0, n);
            }
            return frame.finish(digest, size, level).length();
        }
    }
}
