package io.faasimage.closure.read;

/**
 * The limits of one analysis, which hold for any image. Where one is reached, the result has the files found until
 * then, with a note.
 *
 * @param maxFiles files in the result
 * @param maxBytes contents that are read in all
 * @param maxSourceBytes longest source or configuration file that is parsed
 * @param maxRuns programs that are followed
 * @param minConfidence least probability of a file that is listed or followed
 */
public record ClosureLimits(int maxFiles, long maxBytes, int maxSourceBytes, int maxRuns, double minConfidence) {
    /** For images of functions. */
    public static final ClosureLimits DEFAULT = new ClosureLimits(50_000, 8L << 30, 4 << 20, 64, 0.1);

    public ClosureLimits {
        if (maxFiles <= 0 || maxBytes <= 0 || maxSourceBytes <= 0 || maxRuns <= 0 || !(minConfidence > 0)) {
            throw new IllegalArgumentException("the limits of an analysis are greater than 0");
        }
    }
}
