package io.faasimage.node.pull;

import java.time.Duration;

/**
 * How much one request of a lane asks for: what arrives in a quarter of a second at the rate seen last. So a look-up
 * that needs an object that is on its way waits no longer than about that, and everything behind it can still be asked
 * for first; and a fast link is not slowed by many requests. Thread-safe.
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
