package io.faasimage.refactor.predict;

import io.faasimage.format.plan.Library;
import java.util.List;

/**
 * The files of a library or runtime that starts read, in one image or in many.
 *
 * @param library name and version; of a runtime, the ecosystem is {@code runtime}
 * @param files that were read, each once; none if the image has the library and its starts do not use it
 */
public record LibraryReads(Library library, List<ReadFile> files) {
    public LibraryReads {
        files = List.copyOf(files);
    }

    /**
     * One file.
     *
     * @param name its path without the parts that differ between versions
     * @param share of the starts that used the library in which it was read, above 0 and at most 1
     * @param rank mean position in the order of reads
     */
    public record ReadFile(String name, double share, double rank) {
        /** Checks the numbers. */
        public ReadFile {
            if (name.isEmpty() || !(share > 0 && share <= 1) || !(rank >= 0)) {
                throw new IllegalArgumentException(
                        "read of '" + name + "' out of range: share " + share + ", rank " + rank);
            }
        }
    }
}
