package io.faasimage.format.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.tree.FilePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ordered list of files whose content a start read, over one or more runs (Starlight §4.4: rank sum and hit count).
 *
 * @param chain the layers that were traced, as the chain ID of the whole image
 * @param runs how many starts are merged in it, at least 1
 * @param entries by mean rank, then path; no path twice
 */
public record Trace(ChainId chain, int runs, List<TraceEntry> entries) {
    private static final Comparator<TraceEntry> ORDER =
            Comparator.comparingDouble(TraceEntry::meanRank).thenComparing(TraceEntry::path);

    /** Copies and sorts the entries. */
    public Trace {
        if (runs < 1) {
            throw new IllegalArgumentException("a trace has at least one run");
        }
        entries = entries.stream().sorted(ORDER).toList();
        for (TraceEntry entry : entries) {
            if (entry.runs() > runs) {
                throw new IllegalArgumentException(entry.path() + " was read in more runs than there were");
            }
        }
        if (entries.stream().map(TraceEntry::path).distinct().count() != entries.size()) {
            throw new IllegalArgumentException("a path is twice in the trace");
        }
    }

    /** In how many runs at most it was seen which bytes of a file were read. */
    public int rangeRuns() {
        return entries.stream().mapToInt(TraceEntry::rangeRuns).max().orElse(0);
    }

    /** This trace and {@code other}, of the same layers, as one. */
    public Trace merge(Trace other) {
        if (!chain.equals(other.chain)) {
            throw new IllegalArgumentException("traces of different images: " + chain + " and " + other.chain);
        }
        Map<FilePath, TraceEntry> merged = new HashMap<>();
        entries.forEach(e -> merged.put(e.path(), e));
        other.entries.forEach(e -> merged.merge(e.path(), e, Trace::mergeEntries));
        return new Trace(chain, Math.addExact(runs, other.runs), new ArrayList<>(merged.values()));
    }

    private static TraceEntry mergeEntries(TraceEntry a, TraceEntry b) {
        int runs = Math.addExact(a.runs(), b.runs());
        double microsSum = (double) a.firstAccessMicros() * a.runs() + (double) b.firstAccessMicros() * b.runs();
        long micros = (long) (microsSum / runs);
        return new TraceEntry(
                a.path(),
                runs,
                Math.addExact(a.rankSum(), b.rankSum()),
                micros,
                a.rangeRuns() + b.rangeRuns(),
                union(a.ranges(), b.ranges()));
    }

    private static List<ByteRange> union(List<ByteRange> a, List<ByteRange> b) {
        List<ByteRange> sorted = new ArrayList<>(a);
        sorted.addAll(b);
        sorted.sort(Comparator.comparingLong(ByteRange::offset));
        List<ByteRange> union = new ArrayList<>();
        for (ByteRange range : sorted) {
            ByteRange last = union.isEmpty() ? null : union.getLast();
            if (last != null && range.offset() <= last.offset() + last.length()) {
                long end = Math.max(last.offset() + last.length(), range.offset() + range.length());
                union.set(union.size() - 1, new ByteRange(last.offset(), end - last.offset()));
            } else {
                union.add(range);
            }
        }
        return union;
    }
}
