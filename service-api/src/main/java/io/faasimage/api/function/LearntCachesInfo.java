package io.faasimage.api.function;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caches that are learnt for a function: {@code GET /v1/functions/{name}/caches}.
 *
 * @param function its name
 * @param learning whether it is to be learnt from; plans have the files only while all functions of the image's layers
 *     are
 * @param node that reported the start; null when nothing was learnt
 * @param learnt when it was reported; null when nothing was learnt
 * @param bytes of all files
 * @param files by path
 */
public record LearntCachesInfo(
        String function,
        boolean learning,
        @Nullable String node,
        @Nullable Instant learnt,
        long bytes,
        List<CacheFile> files) {
    /** Copies the list. */
    public LearntCachesInfo {
        files = List.copyOf(files);
    }

    /**
     * A file of a cache.
     *
     * @param path in the root file system
     * @param cache which cache: {@code python}, {@code node}, {@code php} or {@code ruby}
     * @param size bytes
     * @param digest of its content, {@code sha256:...}
     */
    public record CacheFile(String path, String cache, long size, String digest) {}
}
