package io.faasimage.node.starts.trace;

import java.time.Duration;

/**
 * The bounds of one trace.
 *
 * @param quiet without a readiness probe: a trace ends when no new file was opened for this long
 * @param limit a trace ends this long after the first process started
 * @param settle a trace continues this long after the readiness probe succeeded
 * @param startWithin a trace is given up when no process started within this time
 * @param files a trace with more files is given up
 */
public record TraceLimits(Duration quiet, Duration limit, Duration settle, Duration startWithin, int files) {
    /** For most functions. */
    public static final TraceLimits DEFAULT = new TraceLimits(
            Duration.ofSeconds(3), Duration.ofSeconds(60), Duration.ofMillis(300), Duration.ofMinutes(10), 200_000);

    /** Checks that every bound is positive. */
    public TraceLimits {
        if (!isPositive(quiet) || !isPositive(limit) || settle.isNegative() || !isPositive(startWithin) || files < 1) {
            throw new IllegalArgumentException("the bounds of a trace must be positive");
        }
    }

    private static boolean isPositive(Duration duration) {
        return duration.isPositive();
    }
}
