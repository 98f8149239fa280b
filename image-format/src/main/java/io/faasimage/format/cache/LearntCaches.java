package io.faasimage.format.cache;

import io.faasimage.format.id.ChainId;
import java.util.List;

/**
 * What one start wrote into the caches of its language runtime before anybody could send it a request.
 *
 * @param chain of the image's layers; with them, the runtime and the sources are given
 * @param files by path, depth first; at least one
 */
public record LearntCaches(ChainId chain, List<LearntFile> files) {
    /** Most files of one start. */
    public static final int MAX_FILES = 20_000;

    /** Longest file, in bytes. */
    public static final int MAX_FILE_BYTES = 4 << 20;

    /** Most bytes of one start's files: an agent has a heap of 96 MiB, and holds them up to four times. */
    public static final long MAX_BYTES = 8L << 20;

    /** Checks order and sizes, and copies the list. */
    public LearntCaches {
        files = List.copyOf(files);
        if (files.isEmpty() || files.size() > MAX_FILES) {
            throw new IllegalArgumentException(files.size() + " files, allowed are 1 to " + MAX_FILES);
        }
        if (bytes(files) > MAX_BYTES) {
            throw new IllegalArgumentException(bytes(files) + " bytes, allowed are " + MAX_BYTES);
        }
        for (int i = 1; i < files.size(); i++) {
            if (files.get(i - 1).path().compareTo(files.get(i).path()) >= 0) {
                throw new IllegalArgumentException(
                        "not in order, or twice: " + files.get(i).path());
            }
        }
    }

    /** The size of all contents. */
    public long bytes() {
        return bytes(files);
    }

    private static long bytes(List<LearntFile> files) {
        return files.stream().mapToLong(file -> file.content().length).sum();
    }
}
