package io.faasimage.refactor.piece;

/**
 * The rules by which large objects are cut.
 *
 * @param leastBytes smaller objects are not cut
 * @param chunkBits the binary logarithm of the size of a chunk
 * @param leastRuns least starts whose reads have to be known
 * @param mostPercent an object of which starts read this much or more is not cut
 * @param startupBytes about the size of a piece of chunks that starts read
 * @param restBytes about the size of a piece of the rest, which is fetched when one of its bytes is read
 */
public record PieceRules(
        long leastBytes, int chunkBits, int leastRuns, int mostPercent, int startupBytes, int restBytes) {
    /** For nodes whose network is the limit (decision 38 has measurements). */
    public static final PieceRules USUAL = new PieceRules(1 << 20, 14, 3, 80, 1 << 20, 256 << 10);

    /** Checks the numbers. */
    public PieceRules {
        int chunk = 1 << chunkBits;
        if (chunkBits < 12 || chunkBits > 24 || leastBytes <= chunk || leastRuns < 1) {
            throw new IllegalArgumentException("an object of " + leastBytes + " bytes has no chunks of 2^" + chunkBits);
        }
        if (mostPercent < 1 || mostPercent > 100 || startupBytes < chunk || restBytes < chunk) {
            throw new IllegalArgumentException("pieces have at least one chunk, and at most 100 percent of an object");
        }
    }

    int chunkBytes() {
        return 1 << chunkBits;
    }
}
