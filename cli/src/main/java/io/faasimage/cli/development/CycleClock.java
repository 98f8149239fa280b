package io.faasimage.cli.development;

import java.util.LinkedHashMap;
import java.util.Map;

/** The clock of one cycle: how long each of its steps took. Not thread-safe. */
final class CycleClock {
    private final long begin;
    private final Map<String, Double> steps = new LinkedHashMap<>();
    private long stepBegin;

    /** A clock whose cycle began at {@code begin}, by {@link System#nanoTime}. */
    CycleClock(long begin) {
        this.begin = begin;
        this.stepBegin = begin;
    }

    /** Ends a step, which began when the one before ended. */
    void end(String step) {
        long now = System.nanoTime();
        steps.merge(step, seconds(now - stepBegin), Double::sum);
        stepBegin = now;
    }

    /** Seconds of each step that has ended, in order. */
    Map<String, Double> steps() {
        return new LinkedHashMap<>(steps);
    }

    /** Seconds since the beginning. */
    double seconds() {
        return seconds(System.nanoTime() - begin);
    }

    private static double seconds(long nanos) {
        return Math.round(nanos / 1e6) / 1e3;
    }
}
