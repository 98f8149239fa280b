package io.faasimage.gate.fetch;

import java.time.Instant;
import java.util.Optional;

/**
 * Counters since the process started.
 *
 * @param fetched objects fetched and published
 * @param bytes their raw size
 * @param failed objects given up
 * @param refused look-ups that failed at once, because too many wait or the gate is stopping
 * @param waiting look-ups that wait now
 * @param lastFailure the newest failure
 */
public record FetchStatus(
        long fetched, long bytes, long failed, long refused, int waiting, Optional<Failure> lastFailure) {
    /**
     * A failure.
     *
     * @param time when
     * @param reason for people
     */
    public record Failure(Instant time, String reason) {}
}
