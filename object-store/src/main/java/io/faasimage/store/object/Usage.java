package io.faasimage.store.object;

/**
 * The content of a store in numbers.
 *
 * @param objects number of objects
 * @param bytes sum of their sizes
 */
public record Usage(long objects, long bytes) {
    /** Checks that neither is negative. */
    public Usage {
        if (objects < 0 || bytes < 0) {
            throw new IllegalArgumentException("negative usage: " + objects + " objects, " + bytes + " bytes");
        }
    }
}
