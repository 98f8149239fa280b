package io.faasimage.refactor.warmup;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** A gzipped tar in memory. */
final class MadeUpLayer {
    private final Digest diffId;
    private final Digest digest;
    private final byte[] blob;

    private MadeUpLayer(Digest diffId, byte[] blob) {
        this.diffId = diffId;
        this.digest = Digest.of(blob);
        this.blob = blob;
    }

    Digest diffId() {
        return diffId;
    }

    Digest digest() {
        return digest;
    }

    long size() {
        return blob.length;
    }

    byte[] blob() {
        return blob.clone();
    }

    /** Writes the layer's files one after the other. */
    static final class Builder {
        private final SplittableRandom random = new SplittableRandom(7);
        private final MessageDigest hash = Digest.newSha256();
        private final ByteArrayOutputStream blob = new ByteArrayOutputStream();
        private final TarArchiveOutputStream tar;

        Builder() throws IOException {
            OutputStream gzip = new GZIPOutputStream(blob, 64 << 10);
            tar = new TarArchiveOutputStream(new DigestOutputStream(gzip, hash), "UTF-8");
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        }

        /** A file of this size that compresses to about half of it. */
        FilePath file(String path, int size) throws IOException {
            byte[] content = new byte[size];
            for (int i = 0; i < size; i++) {
                content[i] = (byte) ('a' + random.nextInt(16));
            }
            return put(path, content);
        }

        FilePath text(String path, String content) throws IOException {
            return put(path, content.getBytes(StandardCharsets.UTF_8));
        }

        private FilePath put(String path, byte[] content) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(path);
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
            return FilePath.ofText(path);
        }

        MadeUpLayer build() throws IOException {
            tar.close();
            return new MadeUpLayer(Digest.ofBytes(hash.digest()), blob.toByteArray());
        }
    }
}
