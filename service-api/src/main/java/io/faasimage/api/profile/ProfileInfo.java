package io.faasimage.api.profile;

import java.util.List;

/**
 * The files of a library or runtime that starts of functions read: {@code GET /v1/profiles}.
 *
 * @param ecosystem package manager, or {@code runtime} of a language runtime with the operating system below it
 * @param name as the package manager names it
 * @param version as the package manager names it
 * @param functions whose starts were counted; older ones count less
 * @param used share of them whose starts used the library at all
 * @param files that were read, in order
 */
public record ProfileInfo(
        String ecosystem, String name, String version, double functions, double used, List<ReadFile> files) {
    public ProfileInfo {
        files = List.copyOf(files);
    }

    /**
     * One file.
     *
     * @param name its path below the place of the library, {@code #} for the parts that differ between versions
     * @param share of the functions that used the library whose starts read it
     * @param rank mean position in the order of reads
     */
    public record ReadFile(String name, double share, double rank) {}
}
