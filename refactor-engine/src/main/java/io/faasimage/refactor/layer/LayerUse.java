package io.faasimage.refactor.layer;

import io.faasimage.refactor.fault.RefactorException;
import java.util.concurrent.atomic.AtomicLong;

/** The share of the image's limits that reading one layer uses; returned when the reading fails. Thread-safe. */
final class LayerUse {
    private final LayerLimits limits;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong entries = new AtomicLong();
    private final AtomicLong metadataBytes = new AtomicLong();
    private final AtomicLong skippedXattrs = new AtomicLong();

    LayerUse(LayerLimits limits) {
        this.limits = limits;
    }

    void countBytes(long count) throws RefactorException {
        bytes.addAndGet(count);
        limits.countBytes(count);
    }

    void countEntry() throws RefactorException {
        entries.incrementAndGet();
        limits.countEntries(1);
    }

    void countMetadata(long count) throws RefactorException {
        metadataBytes.addAndGet(count);
        limits.countMetadata(count);
    }

    void countSkippedXattr() {
        skippedXattrs.incrementAndGet();
        limits.countSkippedXattrs(1);
    }

    long maxFileBytes() {
        return limits.maxFileBytes();
    }

    int maxXattrBytes() {
        return limits.maxXattrBytes();
    }

    /** The counts so far. */
    LayerCounts counts() {
        return new LayerCounts(bytes.get(), entries.get(), metadataBytes.get(), skippedXattrs.get());
    }

    /** Reverts all counts; nothing may be counted any more. */
    void giveBack() throws RefactorException {
        limits.countBytes(-bytes.get());
        limits.countEntries(-entries.get());
        limits.countMetadata(-metadataBytes.get());
        limits.countSkippedXattrs(-skippedXattrs.get());
    }
}
