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
 * @param singles objects of one segment that are asked for one by one when streams did not bring them
 * @param singlesAtOnce of these, how many at the same time
 * @param history finished pulls that are remembered
 */
public record PullConfig(
        int workers,
        int inFlightBytes,
        int streamedBytes,
        int attempts,
        Duration backoff,
        Duration stall,
        int singles,
        int singlesAtOnce,
        int history) {
    static final int SMALLEST_IN_FLIGHT = 1024;
    private static final int MOST_IN_FLIGHT = 65_535 * SMALLEST_IN_FLIGHT;

    /** Checks that everything is positive and that any object that is not streamed fits. */
    public PullConfig {
        if (workers < 1 || attempts < 1 || singles < 0 || singlesAtOnce < 1 || history < 1) {
            throw new IllegalArgumentException("counts must be positive");
        }
        if (inFlightBytes < SMALLEST_IN_FLIGHT || inFlightBytes >= MOST_IN_FLIGHT) {
            throw new IllegalArgumentException("too few or too many bytes in flight: " + inFlightBytes);
        }
        if (streamedBytes < 0 || inFlightBytes < streamedBytes) {
            throw new IllegalArgumentException("an object that is not streamed must fit into the bytes in flight");
        }
    }

    /** The limits of a small agent on this machine. */
    public static PullConfig standard() {
        return new PullConfig(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                24 << 20,
                4 << 20,
                3,
                Duration.ofMillis(200),
                Duration.ofSeconds(20),
                256,
                4,
                20);
    }
}
