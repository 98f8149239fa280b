package io.faasimage.gate.fetch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Look-ups that were refused without a fetch: all counted, one in ten seconds logged. Thread-safe. */
final class Refusals {
    private static final Logger LOG = System.getLogger(ObjectFetcher.class.getName());
    private static final long LOG_INTERVAL = Duration.ofSeconds(10).toNanos();

    private final LongAdder count = new LongAdder();
    private final AtomicLong nextLog = new AtomicLong(System.nanoTime());

    void add(String reason) {
        count.increment();
        long now = System.nanoTime();
        long due = nextLog.get();
        if (now - due >= 0 && nextLog.compareAndSet(due, now + LOG_INTERVAL)) {
            LOG.log(
                    Level.WARNING,
                    reason + "; the reader gets an input/output error (" + count() + " look-ups refused so far)");
        }
    }

    long count() {
        return count.sum();
    }
}
