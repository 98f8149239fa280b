package io.faasimage.api.client;

import java.io.IOException;
import java.time.Duration;

/**
 * A minimum rate of a source. One that drips bytes never exceeds a limit on silence, and would block its readers for
 * ever.
 *
 * @param bytesPerSecond on average over the window
 * @param window of time spent in reads; the time that a reader spends elsewhere is not the source's
 */
public record MinimumRate(long bytesPerSecond, Duration window) {
    /**
     * 4 KiB a second over 20 s. A link of 25 Mbit/s gives each of a node's most streams (8 pulls of three, and 32
     * look-ups) 55 KB a second.
     */
    public static final MinimumRate STANDARD = new MinimumRate(4096, Duration.ofSeconds(20));

    /** One long read proves nothing: the machine may have been suspended in it. */
    private static final int FEWEST_READS = 4;

    /** Checks that both are positive. */
    public MinimumRate {
        if (bytesPerSecond < 1 || !window.isPositive()) {
            throw new IllegalArgumentException("a minimum rate is positive: " + bytesPerSecond + " in " + window);
        }
    }

    /** A source that was slower. */
    public static final class TooSlowException extends IOException {
        private static final long serialVersionUID = 1L;

        TooSlowException(String message) {
            super(message);
        }
    }

    Meter meter() {
        return new Meter();
    }

    /** Measures one stream. For one reader. */
    final class Meter {
        private long nanos;
        private long bytes;

        /**
         * Counts one read.
         *
         * @throws TooSlowException when the source is slower than the minimum
         */
        void count(long took, int count) throws TooSlowException {
            nanos += Math.min(took, window.toNanos() / FEWEST_READS);
            bytes += Math.max(0, count);
            if (nanos < window.toNanos()) {
                return;
            }
            if (bytes < bytesPerSecond * window.toMillis() / 1000) {
                throw new TooSlowException("only " + bytes + " bytes came in " + window.toMillis()
                        + " ms of waiting; given up, the minimum is " + bytesPerSecond + " bytes a second");
            }
            nanos = 0;
            bytes = 0;
        }
    }
}
