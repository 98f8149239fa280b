package io.faasimage.format.plan;

/**
 * A range of indexes into a list.
 *
 * @param from index of the first one, from 0
 * @param to index after the last one, greater than {@code from}
 */
public record IndexRange(int from, int to) {
    /** Checks that the range is neither negative nor empty. */
    public IndexRange {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("not a range of indexes: [" + from + ", " + to + ")");
        }
    }

    /** How many it has. */
    public int size() {
        return to - from;
    }
}
