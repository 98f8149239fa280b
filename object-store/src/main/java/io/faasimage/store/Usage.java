package io.faasimage.store;

/**
 * The content of a store in numbers.
 *
 * @param objects number of objects
 * @param bytes sum of their sizes
 */
public record Usage(long objects, long bytes) {
    /** Nothing. */
    static final Usage NONE = new Usage(0, 0);

    /** Checks that neither is negative. */
    public Usage {
        if (objects < 0 || bytes < 0) {
            throw new IllegalArgumentException("negative usage: " + objects + " objects, " + bytes + " bytes");
        }
    }

    Usage plus(Usage other) {
        return new Usage(Math.addExact(objects, other.objects), Math.addExact(bytes, other.bytes));
    }
}
