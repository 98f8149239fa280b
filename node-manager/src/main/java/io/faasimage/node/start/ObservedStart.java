package io.faasimage.node.start;

import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.util.List;

/**
 * What one start of a planned image read beyond its start-up set.
 *
 * @param image manifest digest
 * @param plan digest of the plan it started from
 * @param at when its root file system was asked for
 * @param misses objects outside the start-up set that were fetched because they were read, in the order of the reads
 * @param startup objects in the start-up set
 */
public record ObservedStart(Digest image, Digest plan, Instant at, List<Miss> misses, int startup) {
    /** Copies the list. */
    public ObservedStart {
        misses = List.copyOf(misses);
    }

    /**
     * An object that was not foreseen.
     *
     * @param object its digest
     * @param millis from the start's begin to the read
     */
    public record Miss(Digest object, int millis) {}

    /** The share, 0 to 1, of the objects known to be read at this start that the start-up set named. */
    public double coverage() {
        return startup + misses.size() == 0 ? 1 : (double) startup / (startup + misses.size());
    }
}
