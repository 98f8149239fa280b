package io.faasimage.refactor.piece;

import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.TraceEntry;
import java.util.BitSet;
import java.util.Collection;
import java.util.Optional;

/** The chunks of large objects that starts read. Stateless. */
public final class ReadChunks {
    private ReadChunks() {}

    /**
     * The chunks that starts read of an object, and its last one; empty when it is not to be cut: it is too small, too
     * few starts showed which chunks they read, or they read nearly everything.
     *
     * @param entries those of the trace whose content the object is, at least one
     * @param size of the object, bytes
     */
    public static Optional<BitSet> of(Collection<TraceEntry> entries, long size, PieceRules rules) {
        if (size < rules.leastBytes() || entries.stream().anyMatch(entry -> entry.rangeRuns() < rules.leastRuns())) {
            return Optional.empty();
        }
        BitSet chunks = new BitSet();
        int count = Math.toIntExact(((size - 1) >>> rules.chunkBits()) + 1);
        for (TraceEntry entry : entries) {
            for (ByteRange range : entry.ranges()) {
                // A trace is not ours: ranges behind the end of the object say nothing about it.
                long end = Math.min(size, range.offset() + range.length());
                if (range.offset() < end) {
                    chunks.set(
                            (int) (range.offset() >>> rules.chunkBits()),
                            Math.min(count, (int) ((end - 1) >>> rules.chunkBits()) + 1));
                }
            }
        }
        if (chunks.cardinality() * 100L >= (long) count * rules.mostPercent()) {
            return Optional.empty();
        }
        // A loop device leaves out the bytes behind the last whole sector: a node needs the last chunk for a mount.
        chunks.set(count - 1);
        return Optional.of(chunks);
    }
}
