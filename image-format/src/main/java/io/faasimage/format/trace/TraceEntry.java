package io.faasimage.format.trace;

import io.faasimage.format.tree.FilePath;
import java.util.List;

/**
 * One file that a start read.
 *
 * @param path in the image's root file system
 * @param runs in how many of the trace's runs it was read, at least 1
 * @param rankSum sum over these runs of its rank, from 0
 * @param firstAccessMicros mean time of the first access after the start of the trace, microseconds
 * @param rangeRuns in how many of these runs it was seen which bytes were read; of the others only the whole file is
 *     known
 * @param ranges the bytes that were read in at least one of the {@code rangeRuns}, sorted and disjoint
 */
public record TraceEntry(
        FilePath path, int runs, long rankSum, long firstAccessMicros, int rangeRuns, List<ByteRange> ranges) {
    /** Checks the numbers, checks that the ranges are sorted and disjoint, and copies the list. */
    public TraceEntry {
        if (runs < 1 || rankSum < 0 || firstAccessMicros < 0) {
            throw new IllegalArgumentException("trace entry out of range: " + path);
        }
        if (rangeRuns < 0 || rangeRuns > runs || (rangeRuns == 0 && !ranges.isEmpty())) {
            throw new IllegalArgumentException(
                    path + " cannot have ranges of " + rangeRuns + " of its " + runs + " runs");
        }
        ranges = List.copyOf(ranges);
        long end = 0;
        for (ByteRange range : ranges) {
            if (range.offset() < end) {
                throw new IllegalArgumentException("ranges of " + path + " overlap or are not sorted");
            }
            end = range.offset() + range.length();
        }
    }

    /** A file of which only is known that it was read. */
    public static TraceEntry whole(FilePath path, int runs, long rankSum, long firstAccessMicros) {
        return new TraceEntry(path, runs, rankSum, firstAccessMicros, 0, List.of());
    }

    /** Rank of the file averaged over the runs that read it. */
    public double meanRank() {
        return (double) rankSum / runs;
    }
}
