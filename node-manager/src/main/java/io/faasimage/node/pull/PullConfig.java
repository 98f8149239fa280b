package io.faasimage.node.pull;

import io.faasimage.api.concurrent.Backoff;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Limits of the pull engine.
 *
 * @param workers threads that decompress, hash and publish
 * @param inFlightBytes compressed bytes that wait for a worker, of all pulls together; an object counts as at least 1
 *     KiB, as a segment can wait for no more than 65,535 objects
 * @param streamedBytes objects with more compressed bytes are published straight from the network
 * @param attempts how often a pull requests an object that comes damaged, before it is left to look-ups
 * @param backoff before the second attempt; doubled before each further one
 * @param longestBackoff the longest pause between two attempts
 * @param stall a stream that delivers nothing for so long is given up
 * @param patience a pull for which nothing has come for so long is given up
 * @param lookupLimit a look-up for which nothing has come for so long is given up
 * @param lookups objects that are fetched for look-ups at a time; others wait for their turn
 * @param pulls that a start waits for and that work at a time; others wait for their turn
 * @param lanes streams at the same time that a start waits for, of one pull; a pull in the background has one
 * @param heartbeat how often the caller of a look-up that waits gets a sign of life
 * @param calm how long background work waits after the last work that a start waited for
 * @param backgroundRate bytes per second of a pull in the background; 0 for no limit
 * @param history finished pulls that are remembered
 */
public record PullConfig(
        int workers,
        int inFlightBytes,
        int streamedBytes,
        int attempts,
        Duration backoff,
        Duration longestBackoff,
        Duration stall,
        Duration patience,
        Duration lookupLimit,
        int lookups,
        int pulls,
        int lanes,
        Duration heartbeat,
        Duration calm,
        long backgroundRate,
        int history) {
    static final int SMALLEST_IN_FLIGHT = 1024;
    private static final Duration LOOKUP_LIMIT = Duration.ofSeconds(30);
    private static final int MOST_IN_FLIGHT = 65_535 * SMALLEST_IN_FLIGHT;

    /** Checks that everything is positive and that any object that is not streamed fits. */
    public PullConfig {
        int least = Math.min(Math.min(workers, attempts), Math.min(lanes, history));
        if (Math.min(least, Math.min(lookups, pulls)) < 1 || backgroundRate < 0) {
            throw new IllegalArgumentException("counts must be positive, and the rate not negative");
        }
        if (inFlightBytes < SMALLEST_IN_FLIGHT || inFlightBytes >= MOST_IN_FLIGHT) {
            throw new IllegalArgumentException("too few or too many bytes in flight: " + inFlightBytes);
        }
        if (streamedBytes <= 0 || inFlightBytes < streamedBytes) {
            throw new IllegalArgumentException("an object that is not streamed must fit into the bytes in flight");
        }
    }

    /** The pauses between the attempts of one pull or look-up. */
    Backoff pauses() {
        return new Backoff(backoff, longestBackoff, new SplittableRandom());
    }

    /** The same limits, with another for look-ups. */
    public PullConfig withLookupLimit(Duration limit) {
        return new PullConfig(
                workers,
                inFlightBytes,
                streamedBytes,
                attempts,
                backoff,
                longestBackoff,
                stall,
                patience,
                limit,
                lookups,
                pulls,
                lanes,
                heartbeat,
                calm,
                backgroundRate,
                history);
    }

    /**
     * The limits of a small agent on this machine.
     *
     * @param backgroundRate bytes per second of a pull in the background; 0 for no limit
     */
    public static PullConfig standard(long backgroundRate) {
        return new PullConfig(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                8 << 20,
                256 << 10,
                3,
                Duration.ofMillis(200),
                Duration.ofSeconds(4),
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                LOOKUP_LIMIT,
                32,
                8,
                3,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                backgroundRate,
                20);
    }
}
