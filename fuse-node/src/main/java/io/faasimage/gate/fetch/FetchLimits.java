package io.faasimage.gate.fetch;

import java.time.Duration;

/**
 * The bounds of fetching.
 *
 * @param stall longest that a look-up waits while no byte comes, retries included
 * @param cap longest that a look-up waits in any case
 * @param attempts most tries of one object
 * @param firstBackoff pause after the first failure; three times as long after each further one
 * @param concurrent most fetches at a time
 * @param waiting most look-ups that wait at a time; further ones fail at once
 */
public record FetchLimits(
        Duration stall, Duration cap, int attempts, Duration firstBackoff, int concurrent, int waiting) {
    /** Ten seconds, capped at ten minutes, four attempts with pauses from 250 ms, eight fetches, 1,024 look-ups. */
    public static final FetchLimits DEFAULT =
            new FetchLimits(Duration.ofSeconds(10), Duration.ofMinutes(10), 4, Duration.ofMillis(250), 8, 1024);

    /** Checks that all are positive. */
    public FetchLimits {
        if (!stall.isPositive()
                || !cap.isPositive()
                || !firstBackoff.isPositive()
                || attempts < 1
                || concurrent < 1
                || waiting < 1) {
            throw new IllegalArgumentException("the limits of fetching must be positive");
        }
    }
}
