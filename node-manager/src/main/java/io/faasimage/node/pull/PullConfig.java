package io.faasimage.node.pull;

import java.time.Duration;

/**
 * Limits of the pull engine.
 *
 * @param workers threads that decompress, hash and publish
 * @param inFlightBytes compressed bytes that wait for a worker, of all pulls together; an object counts as at least 1 KiB,
 *     as a segment can wait for no more than 65,535 objects
 * @param streamedBytes objects with more compressed bytes are published straight from the network
 * @param attempts how often a stream or a single object is asked for
 * @param backoff before the second attempt; doubled before each further one
 * @param stall a stream that delivers nothing for so long is given up
 * @param lanes streams at the same time that a start waits for, of one pull; a pull in the background has one
 * @param heartbeat how often somebody who waits for an object on its way is told that bytes come
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
        Duration stall,
        int lanes,
        Duration heartbeat,
        Duration calm,
        long backgroundRate,
        int history) {
    static final int SMALLEST_IN_FLIGHT = 1024;
    private static final int MOST_IN_FLIGHT = 65_535 * SMALLEST_IN_FLIGHT;

    /** Checks that everything is positive and that any object that is not streamed fits. */
    public PullConfig {
        if (workers < 1 || attempts < 1 || lanes < 1 || backgroundRate < 0 || history < 1) {
            throw new IllegalArgumentException("counts must be positive, and the rate not negative");
        }
        if (inFlightBytes < SMALLEST_IN_FLIGHT || inFlightBytes >= MOST_IN_FLIGHT) {
            throw new IllegalArgumentException("too few or too many bytes in flight: " + inFlightBytes);
        }
        if (streamedBytes <= 0 || inFlightBytes < streamedBytes) {
            throw new IllegalArgumentException("an object that is not streamed must fit into the bytes in flight");
        }
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
                Duration.ofSeconds(20),
                3,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                backgroundRate,
                20);
    }
}
