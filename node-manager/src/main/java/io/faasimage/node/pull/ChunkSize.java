package io.faasimage.node.pull;

import java.time.Duration;

/**
 * The size of a worker's next request: the bytes of a quarter of a second at the last observed rate. So a look-up of
 * an object that is being fetched waits at most about that long, everything behind it can still be requested first, and
 * many small requests do not slow down a fast link. Thread-safe.
 */
final class ChunkSize {
    static final long SMALLEST = 256 << 10;
    static final long FIRST = 4 << 20;
    static final long LARGEST = 32 << 20;
    private static final Duration TARGET = Duration.ofMillis(250);

    private volatile long bytes = FIRST;

    /** Raw bytes. */
    long bytes() {
        return bytes;
    }

    /** A chunk of {@code raw} bytes took {@code nanos} from its first byte to its last. */
    void took(long raw, long nanos) {
        if (raw < SMALLEST) {
            return;
        }
        long wanted = (long) ((double) raw / Math.max(1, nanos) * TARGET.toNanos());
        // No more than twice the last: a burst from a buffer says little of the link.
        bytes = Math.clamp(wanted, SMALLEST, Math.min(LARGEST, 2 * bytes));
    }
}
