package io.faasimage.refactor.layer;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.concurrent.atomic.AtomicLong;

/** The limits of all layers of one image together, counted down as they are read. Thread-safe. */
public final class LayerLimits {
    private final long maxBytes;
    private final long maxFileBytes;
    private final long maxEntries;
    private final long maxMetadataBytes;
    private final int maxXattrBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong entries = new AtomicLong();
    private final AtomicLong metadataBytes = new AtomicLong();
    private final AtomicLong skippedXattrs = new AtomicLong();

    /**
     * Limits of one image: uncompressed bytes, bytes of one file, entries, bytes of names and attributes, and of one
     * entry's attributes.
     */
    public LayerLimits(long maxBytes, long maxFileBytes, long maxEntries, long maxMetadataBytes, int maxXattrBytes) {
        this.maxBytes = maxBytes;
        this.maxFileBytes = maxFileBytes;
        this.maxEntries = maxEntries;
        this.maxMetadataBytes = maxMetadataBytes;
        this.maxXattrBytes = maxXattrBytes;
    }

    void countBytes(long count) throws RefactorException {
        if (bytes.addAndGet(count) > maxBytes) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the layers have more than the limit of " + maxBytes + " bytes uncompressed;"
                            + " it is half of the service's free disk space, or --faasimage.budget.uncompressed");
        }
    }

    void countEntries(long count) throws RefactorException {
        if (entries.addAndGet(count) > maxEntries) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the layers have more than the limit of " + maxEntries
                            + " entries, which is --faasimage.budget.entries, or what --faasimage.refactor.memory"
                            + " and the service's heap (-Xmx) have room for");
        }
    }

    void countMetadata(long count) throws RefactorException {
        if (metadataBytes.addAndGet(count) > maxMetadataBytes) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "the paths, link targets and extended attributes of all layers have more than the limit of "
                            + maxMetadataBytes
                            + " bytes, which follows from --faasimage.refactor.memory");
        }
    }

    void countSkippedXattrs(long count) {
        skippedXattrs.addAndGet(count);
    }

    /** Counts a layer that was read before. */
    public void count(LayerCounts layer) throws RefactorException {
        countBytes(layer.bytes());
        countEntries(layer.entries());
        countMetadata(layer.metadataBytes());
        countSkippedXattrs(layer.skippedXattrs());
    }

    /** The number of the layers' extended attributes that no root file system shows. */
    public long skippedXattrs() {
        return skippedXattrs.get();
    }

    long maxFileBytes() {
        return maxFileBytes;
    }

    int maxXattrBytes() {
        return maxXattrBytes;
    }
}
