package io.faasimage.refactor.predict;

/**
 * The cost of a start in milliseconds, as the bench's figures for two cores without a limit of bandwidth imply
 * (decision 40). It decides which predicted files are pulled ahead, and whether a predicted plan is better than none.
 * Stateless.
 */
final class StartCost {
    /** For each megabyte of content that is pulled ahead, received, decompressed, hashed and written by two threads. */
    private static final double PULLED_MEGABYTE = 4;

    /** For each megabyte that is fetched on demand, by one thread while the function waits. */
    private static final double DEMANDED_MEGABYTE = 8;

    /** The cost of each object that is fetched on demand, in addition to its bytes. */
    private static final double MISS = 7;

    /** For each compressed megabyte of an unplanned image, which is downloaded and unpacked. */
    private static final double UNPLANNED_MEGABYTE = 30;

    /** An estimated time is this much better than another one, or it does not count as better. */
    private static final double MARGIN = 0.8;

    private static final double MEGABYTE = 1e6;

    private StartCost() {}

    /** Of a content that is pulled ahead. */
    static double pulled(long bytes) {
        return bytes / MEGABYTE * PULLED_MEGABYTE;
    }

    /** Of contents that are fetched on demand. */
    static double demanded(double objects, double bytes) {
        return objects * MISS + bytes / MEGABYTE * DEMANDED_MEGABYTE;
    }

    /** Whether a content is pulled ahead that a start reads with this probability. */
    static boolean isPulledAhead(double probability, long bytes) {
        return probability * demanded(1, (double) bytes) > pulled(bytes);
    }

    /**
     * Whether a start on a predicted plan is expected to be shorter than one that downloads and unpacks the image.
     *
     * @param pulledBytes content of the prefetch list
     * @param readObjects of them, that the start is expected to read
     * @param readBytes their content
     * @param coverage which share of everything that the start reads these are
     * @param compressedBytes of the image
     */
    static boolean isLazyBetter(
            long pulledBytes, double readObjects, double readBytes, double coverage, long compressedBytes) {
        if (coverage <= 0) {
            return false;
        }
        double unknown = (1 - coverage) / coverage;
        double lazy = pulled(pulledBytes) + demanded(readObjects * unknown, readBytes * unknown);
        return lazy < MARGIN * compressedBytes / MEGABYTE * UNPLANNED_MEGABYTE;
    }
}
