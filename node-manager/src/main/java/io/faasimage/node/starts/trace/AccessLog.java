package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The files that one start opened, in order of their first access. Not thread-safe. */
final class AccessLog {
    private final Map<FilePath, Long> first = new LinkedHashMap<>();

    /**
     * Notes an access.
     *
     * @param nanos when, by {@link System#nanoTime}
     * @return whether it is the file's first
     */
    boolean add(FilePath path, long nanos) {
        return first.putIfAbsent(path, nanos) == null;
    }

    int size() {
        return first.size();
    }

    /** A source of the known ranges that were read of a file. */
    @FunctionalInterface
    interface Ranges {
        /** The bytes that were read of the file at {@code path}; empty when only is known that it was opened. */
        Optional<List<ByteRange>> of(FilePath path) throws IOException;
    }

    /**
     * The trace of this one run.
     *
     * @param startNanos when the first process started; files opened before count as opened then
     */
    Trace trace(ChainId chain, long startNanos, Ranges ranges) throws IOException {
        List<TraceEntry> entries = new ArrayList<>(first.size());
        for (Map.Entry<FilePath, Long> access : first.entrySet()) {
            long micros = TimeUnit.NANOSECONDS.toMicros(Math.max(0, access.getValue() - startNanos));
            Optional<List<ByteRange>> read = ranges.of(access.getKey());
            entries.add(new TraceEntry(
                    access.getKey(), 1, entries.size(), micros, read.isPresent() ? 1 : 0, read.orElse(List.of())));
        }
        return new Trace(chain, 1, entries);
    }
}
