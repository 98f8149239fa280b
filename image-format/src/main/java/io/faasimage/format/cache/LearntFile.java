package io.faasimage.format.cache;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import java.util.Arrays;

/**
 * A file of a cache. It has no extended attributes, and neither set-user-ID nor set-group-ID.
 *
 * @param path in a {@link CachePlace}
 * @param attributes with permissions of at most 0777
 * @param content 1 byte to {@link LearntCaches#MAX_FILE_BYTES}; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record LearntFile(FilePath path, Attributes attributes, byte[] content) {
    private static final int PERMISSIONS = 0777;

    /** Checks what the parameters say. */
    public LearntFile {
        if (CachePlace.of(path).isEmpty()) {
            throw new IllegalArgumentException("not in a cache of a language runtime: " + path);
        }
        if ((attributes.mode() & ~PERMISSIONS) != 0 || !attributes.xattrs().isEmpty()) {
            throw new IllegalArgumentException("a file of a cache has permissions only: " + path);
        }
        if (content.length == 0 || content.length > LearntCaches.MAX_FILE_BYTES) {
            throw new IllegalArgumentException(
                    path + " has " + content.length + " bytes, allowed are 1 to " + LearntCaches.MAX_FILE_BYTES);
        }
    }

    /** The cache that it belongs to. */
    public CachePlace place() {
        return CachePlace.of(path).orElseThrow();
    }

    /** The name of its content. */
    public Digest digest() {
        return Digest.of(content);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LearntFile file
                && path.equals(file.path)
                && attributes.equals(file.attributes)
                && Arrays.equals(content, file.content);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return path + " (" + content.length + " bytes)";
    }
}
