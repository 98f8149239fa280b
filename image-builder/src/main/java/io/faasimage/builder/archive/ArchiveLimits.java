package io.faasimage.builder.archive;

/**
 * Limits on the content of an archive.
 *
 * @param bytes of all files together
 * @param entries files, directories and links together
 */
public record ArchiveLimits(long bytes, int entries) {
    /** Checks that both are positive. */
    public ArchiveLimits {
        if (bytes < 1 || entries < 1) {
            throw new IllegalArgumentException("the limits of an archive must be positive");
        }
    }
}
