package io.faasimage.node.containerd.image;

import java.util.concurrent.TimeUnit;

/** A stopwatch for the phases of a pull, in milliseconds. For one thread. */
final class Stopwatch {
    private final long begin = System.nanoTime();
    private long last = begin;

    /** Since the last lap, or the begin. */
    long lap() {
        long now = System.nanoTime();
        long lap = now - last;
        last = now;
        return TimeUnit.NANOSECONDS.toMillis(lap);
    }

    /** Since the begin. */
    long total() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }
}
