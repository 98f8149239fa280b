package io.faasimage.format.trace;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.util.ArrayList;
import java.util.List;

/** The byte form of a {@link Trace}: one trace has exactly one (docs/formats/trace.md). Stateless. */
public final class TraceCodec {
    /** Media type of an encoded trace. */
    public static final String MEDIA_TYPE = "application/vnd.faasimage.trace";

    private static final int WITHOUT_RANGE_RUNS = 1;
    private static final int WITH_RANGE_RUNS = 2;
    private static final Envelope ENVELOPE = new Envelope("trace", "FITR", WITH_RANGE_RUNS, WITHOUT_RANGE_RUNS);
    private static final int ENTRY_BYTES = 5;
    private static final int RANGE_BYTES = 2;

    private TraceCodec() {}

    /** The bytes of {@code trace}. */
    public static byte[] encode(Trace trace) {
        int version = version(trace.entries());
        ByteWriter out = ENVELOPE.begin(4096 + trace.entries().size() * 64, version);
        out.digest(trace.chain().digest()).number(trace.runs());
        out.number(trace.entries().size());
        for (TraceEntry entry : trace.entries()) {
            out.sized(entry.path().bytes()).number(entry.runs()).number(entry.rankSum());
            out.number(entry.firstAccessMicros());
            if (version == WITH_RANGE_RUNS) {
                out.number(entry.rangeRuns());
            }
            out.number(entry.ranges().size());
            long end = 0;
            for (ByteRange range : entry.ranges()) {
                out.number(range.offset() - end).number(range.length());
                end = range.offset() + range.length();
            }
        }
        return ENVELOPE.seal(out);
    }

    /** The oldest version that can express the entries, so that older programs can read as many traces as possible. */
    private static int version(List<TraceEntry> entries) {
        return entries.stream().allMatch(e -> e.rangeRuns() == (e.ranges().isEmpty() ? 0 : e.runs()))
                ? WITHOUT_RANGE_RUNS
                : WITH_RANGE_RUNS;
    }

    /** The digest of the trace's bytes. */
    public static Digest digest(Trace trace) {
        return Digest.of(encode(trace));
    }

    /**
     * The trace that {@code bytes} encode.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static Trace decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        int version = ENVELOPE.versionOf(bytes);
        try {
            ChainId chain = new ChainId(in.digest());
            int runs = in.number("number of runs", Integer.MAX_VALUE);
            int count = in.count("entries", ENTRY_BYTES);
            List<TraceEntry> entries = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                entries.add(entry(in, version));
            }
            in.finish();
            if (version != version(entries)) {
                throw in.bad("version " + version(entries) + " says the same");
            }
            Trace trace = new Trace(chain, runs, entries);
            if (!trace.entries().equals(entries)) {
                throw in.bad("entries are not in the order of their rank");
            }
            return trace;
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    private static TraceEntry entry(ByteReader in, int version) throws FormatException {
        FilePath path = FilePath.ofBytes(in.sized("path", FilePath.MAX_PATH_BYTES));
        int runs = in.number("number of runs", Integer.MAX_VALUE);
        long rankSum = in.number();
        long micros = in.number();
        int rangeRuns = version == WITH_RANGE_RUNS ? in.number("number of runs with ranges", runs) : 0;
        int count = in.count("ranges", RANGE_BYTES);
        List<ByteRange> ranges = new ArrayList<>(count);
        long end = 0;
        for (int i = 0; i < count; i++) {
            ByteRange range = new ByteRange(end + in.number(), in.number());
            ranges.add(range);
            end = range.offset() + range.length();
        }
        if (version == WITHOUT_RANGE_RUNS && count > 0) {
            rangeRuns = runs;
        }
        return new TraceEntry(path, runs, rankSum, micros, rangeRuns, ranges);
    }
}
