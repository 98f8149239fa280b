package io.faasimage.format.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Lists of ranges that ascend, with a gap between any two: {@code ranges(num) { gap(num) length(num) }*ranges}. */
public final class IndexRanges {
    private static final int RANGE_BYTES = 2;

    private IndexRanges() {}

    /** A copy of {@code ranges}, which ascend with a gap between any two. */
    public static List<IndexRange> checked(List<IndexRange> ranges) {
        int end = -1;
        for (IndexRange range : ranges) {
            if (range.from() <= end) {
                throw new IllegalArgumentException("range from " + range.from() + " follows one to " + end);
            }
            end = range.to();
        }
        return List.copyOf(ranges);
    }

    /** The ranges of the bits that are set. */
    public static List<IndexRange> of(BitSet indexes) {
        List<IndexRange> ranges = new ArrayList<>();
        for (int from = indexes.nextSetBit(0); from >= 0; ) {
            int to = indexes.nextClearBit(from);
            ranges.add(new IndexRange(from, to));
            from = indexes.nextSetBit(to);
        }
        return ranges;
    }

    /** These ranges, in their order, each joined with the next if that begins where it ends. */
    public static List<IndexRange> joined(List<IndexRange> ranges) {
        List<IndexRange> joined = new ArrayList<>();
        for (IndexRange range : ranges) {
            if (!joined.isEmpty() && joined.getLast().to() == range.from()) {
                joined.add(new IndexRange(joined.removeLast().from(), range.to()));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }

    /** At most {@code most} ranges that cover these ascending ones; the smallest gaps are closed first. */
    public static List<IndexRange> atMost(int most, List<IndexRange> ranges) {
        List<IndexRange> fewer = ranges;
        for (int gap = 1; fewer.size() > most; gap *= 2) {
            List<IndexRange> closed = new ArrayList<>();
            for (IndexRange range : fewer) {
                if (!closed.isEmpty() && range.from() - closed.getLast().to() <= gap) {
                    closed.add(new IndexRange(closed.removeLast().from(), range.to()));
                } else {
                    closed.add(range);
                }
            }
            fewer = closed;
        }
        return fewer;
    }

    /** Writes ranges that {@link #checked} accepts. */
    public static void write(List<IndexRange> ranges, ByteWriter out) {
        out.number(ranges.size());
        int end = 0;
        for (IndexRange range : ranges) {
            out.number(range.from() - end).number(range.size());
            end = range.to();
        }
    }

    /** Reads ranges, each of which has a length; whether there are gaps between them is to be {@link #checked}. */
    public static List<IndexRange> read(ByteReader in) throws FormatException {
        int count = in.count("ranges", RANGE_BYTES);
        List<IndexRange> ranges = new ArrayList<>(count);
        int end = 0;
        for (int i = 0; i < count; i++) {
            int from = end + in.number("gap", Integer.MAX_VALUE - end);
            end = from + in.number("length", Integer.MAX_VALUE - from);
            ranges.add(new IndexRange(from, end));
        }
        return ranges;
    }
}
