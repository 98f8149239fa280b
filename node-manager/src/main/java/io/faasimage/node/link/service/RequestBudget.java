package io.faasimage.node.link.service;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The pause that the service has requested from this node: one for all its streams and requests, so that none of them
 * continues while another must wait (RFC 9110, section 10.2.3). Thread-safe.
 */
public final class RequestBudget {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private long until = System.nanoTime();
    private long pauses;

    /** The service has too much to do; the pause is spread a little, so that nodes do not come back in step. */
    synchronized void pause(Duration asked) {
        Duration bounded = asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
        long spread = ThreadLocalRandom.current().nextLong(bounded.toNanos() / 4 + 1);
        pauses++;
        long end = System.nanoTime() + bounded.toNanos() + spread;
        until = end - until > 0 ? end : until;
    }

    /** How often the service requested a pause. */
    public synchronized long pauses() {
        return pauses;
    }

    /** How long no request may be sent; empty when one may. */
    public synchronized Optional<Duration> left() {
        long nanos = until - System.nanoTime();
        return nanos <= 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    /** Waits until requests may be sent, but not longer than {@code most}; says whether they may. */
    public boolean await(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        for (Optional<Duration> left = left(); left.isPresent(); left = left()) {
            long nanos = Math.min(left.get().toNanos(), end - System.nanoTime());
            if (nanos <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
        return true;
    }
}
