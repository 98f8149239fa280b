package io.faasimage.gate.fetch;

import java.time.Duration;

/**
 * The bounds of fetching.
 *
 * @param stall longest that a look-up waits while no byte comes, retries included
 * @param silence longest that the node agent may be silent before the gate fetches by itself
 * @param cap longest that a look-up waits in any case
 * @param attempts most tries of an object that comes damaged
 * @param firstBackoff pause after the first failure; twice as long after each further one
 * @param longestBackoff the longest pause
 * @param concurrent most fetches at a time
 * @param waiting most look-ups that wait at a time; further ones fail at once
 */
public record FetchLimits(
        Duration stall,
        Duration silence,
        Duration cap,
        int attempts,
        Duration firstBackoff,
        Duration longestBackoff,
        int concurrent,
        int waiting) {
    /**
     * Thirty seconds, the agent's silence ten of them, capped at ten minutes, eight attempts, pauses from 250 ms to
     * four seconds, eight fetches, 1,024 look-ups.
     */
    public static final FetchLimits DEFAULT = new FetchLimits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            8,
            Duration.ofMillis(250),
            Duration.ofSeconds(4),
            8,
            1024);

    /** Checks that all are positive. */
    public FetchLimits {
        if (!stall.isPositive()
                || !silence.isPositive()
                || !cap.isPositive()
                || !firstBackoff.isPositive()
                || !longestBackoff.isPositive()
                || attempts < 1
                || concurrent < 1
                || waiting < 1) {
            throw new IllegalArgumentException("the limits of fetching must be positive");
        }
    }
}
