package io.faasimage.store;

import io.faasimage.linux.FileSystems;
import io.faasimage.linux.LinuxException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The free room of the fast tier, by its budget and by its file system. Counts the changes of this process; the count
 * is corrected now and then from the directory itself. Thread-safe.
 */
final class FastRoom {
    /** This part of the file system is left free: it has other uses, as directories. */
    private static final int RESERVED = 64;

    private final Path directory;
    private final long budget;
    private final AtomicLong used = new AtomicLong();

    FastRoom(FastTier tier, long used) {
        this.directory = tier.directory();
        this.budget = tier.budget();
        this.used.set(used);
    }

    /** The budget, but no more than the tier has now and its file system has free besides. */
    long limit() throws LinuxException {
        FileSystems.Space space = FileSystems.space(directory);
        long possible = Math.max(0, used.get() + space.availableBytes() - space.totalBytes() / RESERVED);
        return budget == 0 ? possible : Math.min(budget, possible);
    }

    /** Takes {@code bytes} of it; false when there is not as much. */
    boolean reserve(long bytes) {
        try {
            long limit = limit();
            long now = used.addAndGet(bytes);
            if (now <= limit && now >= 0) {
                return true;
            }
        } catch (LinuxException e) {
            // It is gone: nothing fits into it, and the check of the tier reports that.
            return false;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void correct(long bytes) {
        used.set(bytes);
    }
}
