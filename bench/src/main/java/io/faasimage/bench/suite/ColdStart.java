package io.faasimage.bench.suite;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One measured cold start, and the warm one after it.
 *
 * @param pull seconds of the pull command
 * @param start seconds of the start command
 * @param answer seconds from its end to the first right answer
 * @param total seconds from before the pull to the first right answer
 * @param warm seconds from before the start command to the first right answer, started again on the same node
 * @param answerBytes received from the network until the first right answer
 * @param bytes received until nothing more came
 * @param diskBytes stored then
 * @param onDemand objects fetched on demand until then; null where there are none
 * @param cpuSeconds of all processes together from before the pull to then
 * @param peakBytes the most that each process had resident, by name
 */
public record ColdStart(
        double pull,
        double start,
        double answer,
        double total,
        double warm,
        long answerBytes,
        long bytes,
        long diskBytes,
        @Nullable Long onDemand,
        double cpuSeconds,
        Map<String, Long> peakBytes) {
    /** Copies the map, in the order of the names. */
    public ColdStart {
        peakBytes = Collections.unmodifiableMap(new TreeMap<>(peakBytes));
    }

    /** Of all processes together. */
    long allPeakBytes() {
        return peakBytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
