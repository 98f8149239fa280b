package io.faasimage.api.control.gate;

import java.time.Instant;
import java.util.Optional;

/**
 * The fetches of a gate since its process started.
 *
 * @param fetched objects fetched and published
 * @param bytes their raw size
 * @param failed objects given up
 * @param refused look-ups that failed at once, because too many wait or the gate is stopping
 * @param waiting look-ups that wait now
 * @param lastFailure the newest failure
 */
public record FetchStatus(
        long fetched, long bytes, long failed, long refused, long waiting, Optional<Failure> lastFailure) {
    /** Nothing fetched. */
    public static final FetchStatus NONE = new FetchStatus(0, 0, 0, 0, 0, Optional.empty());

    /**
     * A failure.
     *
     * @param time when
     * @param reason for people
     */
    public record Failure(Instant time, String reason) {}
}
