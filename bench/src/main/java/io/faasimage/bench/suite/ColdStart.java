package io.faasimage.bench.suite;

import io.faasimage.bench.measure.StartTimes;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One measured cold start, and the warm ones after it on the same node.
 *
 * @param cold its times
 * @param warm those of the warm starts, at least one
 * @param answerBytes received from the network until the first right answer
 * @param bytes received until nothing more came
 * @param warmBytes received meanwhile for each warm start
 * @param diskBytes stored before the first warm start
 * @param onDemand objects fetched on demand until then; null where there are none
 * @param warmFuseRequests requests to the FUSE file system in all the warm starts; null when they were not counted
 * @param cpuSeconds of all processes together from before the pull until before the first warm start
 * @param peakBytes the most that each process had resident until then, by name
 * @param residentBytes of each process after the last warm start, by name
 */
public record ColdStart(
        StartTimes cold,
        List<StartTimes> warm,
        long answerBytes,
        long bytes,
        long warmBytes,
        long diskBytes,
        @Nullable Long onDemand,
        @Nullable Long warmFuseRequests,
        double cpuSeconds,
        Map<String, Long> peakBytes,
        Map<String, Long> residentBytes) {
    /** Copies the collections, the maps in the order of the names. */
    public ColdStart {
        warm = List.copyOf(warm);
        peakBytes = Collections.unmodifiableMap(new TreeMap<>(peakBytes));
        residentBytes = Collections.unmodifiableMap(new TreeMap<>(residentBytes));
    }

    /** Of all processes together. */
    long allPeakBytes() {
        return peakBytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
