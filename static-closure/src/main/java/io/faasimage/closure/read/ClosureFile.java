package io.faasimage.closure.read;

import io.faasimage.format.tree.FilePath;

/**
 * A file that a start will probably read.
 *
 * @param rank place in the expected order of reads, from 0
 * @param path without symbolic links
 * @param size in bytes, greater than 0
 * @param by path of the file that leads to it, with a leading slash; empty for the image's configuration
 * @param confidence how probable it is, greater than 0, at most 1
 */
public record ClosureFile(int rank, FilePath path, long size, String by, double confidence) {
    public ClosureFile {
        if (rank < 0 || size <= 0 || !(confidence > 0 && confidence <= 1)) {
            throw new IllegalArgumentException("rank " + rank + ", size " + size + ", confidence " + confidence);
        }
    }
}
