package io.faasimage.refactor;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.IndexRanges;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.TraceEntry;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** The frames of objects that starts read. Stateless. */
final class ReadFrames {
    private static final int MOST_PERCENT = 90;

    private ReadFrames() {}

    /**
     * The frames that starts read of an object; empty for all: no start showed which bytes it reads, or they
     * read nearly everything.
     *
     * @param entries those of the trace whose content the object is
     * @param size of the object, bytes
     */
    static List<IndexRange> of(Collection<TraceEntry> entries, long size) {
        int count = ObjectFrames.count(size);
        if (count == 1 || entries.isEmpty() || entries.stream().anyMatch(entry -> entry.rangeRuns() == 0)) {
            return List.of();
        }
        BitSet frames = new BitSet(count);
        for (TraceEntry entry : entries) {
            for (ByteRange range : entry.ranges()) {
                // A trace is not ours: ranges behind the end of the object say nothing about it.
                long end = Math.min(size, range.offset() + range.length());
                if (range.offset() < end) {
                    frames.set((int) (range.offset() / ObjectFrames.CONTENT_BYTES), ObjectFrames.count(end));
                }
            }
        }
        return frames.cardinality() * 100L >= (long) count * MOST_PERCENT ? List.of() : IndexRanges.of(frames);
    }
}
