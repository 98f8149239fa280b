package io.faasimage.registry.store.trace;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.blob.BlobsDownException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Merged traces with their bytes. Thread-safe. */
@Component
public class TraceStore {
    private static final Logger LOG = LoggerFactory.getLogger(TraceStore.class);
    private static final int MAX_RUNS = 1000;
    private static final int MAX_ENTRIES = 200_000;
    private static final int MAX_RANGES = 1_000_000;

    private final TraceTable table;
    private final BlobStore blobs;
    private final BlobTable known;

    TraceStore(TraceTable table, BlobStore blobs, BlobTable known) {
        this.table = table;
        this.blobs = blobs;
        this.known = known;
    }

    /** The bytes of the trace of a stack of layers. */
    public Optional<byte[]> read(ChainId chain) {
        Optional<TraceRow> row = table.find(chain);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(blobs.read(Blob.trace(row.get().digest())));
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (NoSuchFileException e) {
            throw damaged(chain, "its file is missing");
        } catch (IOException e) {
            throw damaged(chain, e.toString());
        }
    }

    /** The trace of a stack of layers. */
    public Optional<Trace> find(ChainId chain) {
        Optional<byte[]> encoded = read(chain);
        if (encoded.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(TraceCodec.decode(encoded.get()));
        } catch (FormatException e) {
            throw damaged(chain, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Merges a trace with the one that is there, and publishes the result's bytes. One that is damaged, or with which
     * the sum would be too large, gives way to the new trace.
     *
     * @return the row to be put into the table
     */
    public TraceRow merge(Trace trace) {
        requireUsable(trace);
        Trace merged = merged(trace);
        byte[] encoded = TraceCodec.encode(merged);
        TraceRow row = new TraceRow(
                Digest.of(encoded),
                merged.runs(),
                merged.rangeRuns(),
                merged.entries().size());
        Blob blob = Blob.trace(row.digest());
        known.protect(List.of(blob));
        try {
            blobs.write(blob, encoded);
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (IOException e) {
            throw new ProblemException(
                    ProblemKind.STORAGE, "the trace could not be stored (" + e + "); is the service's disk full?", e);
        }
        return row;
    }

    private static void requireUsable(Trace trace) {
        if (trace.runs() > MAX_RUNS) {
            throw unusable("it has " + trace.runs() + " runs and may have " + MAX_RUNS);
        }
        if (trace.entries().size() > MAX_ENTRIES) {
            throw unusable("it has " + trace.entries().size() + " files and may have " + MAX_ENTRIES);
        }
        if (ranges(trace) > MAX_RANGES) {
            throw unusable("it has " + ranges(trace) + " parts of files and may have " + MAX_RANGES);
        }
        for (TraceEntry entry : trace.entries()) {
            if (entry.rankSum() > (long) entry.runs() * MAX_ENTRIES) {
                throw unusable("the rank of " + entry.path() + " is above " + MAX_ENTRIES);
            }
        }
    }

    private static long ranges(Trace trace) {
        return trace.entries().stream()
                .mapToLong(entry -> entry.ranges().size())
                .sum();
    }

    private static ProblemException unusable(String reason) {
        return new ProblemException(
                ProblemKind.TRACE_UNUSABLE, "the trace cannot be used: " + reason + "; trace a start again");
    }

    private Trace merged(Trace trace) {
        try {
            Trace merged =
                    find(trace.chain()).map(stored -> stored.merge(trace)).orElse(trace);
            if (merged.entries().size() <= MAX_ENTRIES && ranges(merged) <= MAX_RANGES) {
                return merged;
            }
            LOG.warn(
                    "trace of {} is started anew: with the new run it has too many files or parts of files",
                    trace.chain());
        } catch (ArithmeticException e) {
            LOG.warn("trace of {} is started anew: it has more runs than can be merged", trace.chain());
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            LOG.warn("trace of {} is started anew: {}", trace.chain(), e.getMessage());
        }
        return trace;
    }

    private static ProblemException damaged(ChainId chain, String reason) {
        return new ProblemException(
                ProblemKind.STORAGE, "the trace of " + chain + " is damaged (" + reason + "); trace a start again");
    }
}
