package io.faasimage.bench.coldstart;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Everything measured.
 *
 * @param facts of the configuration
 * @param cold series of the cold starts, per function the systems in the order of the configuration
 * @param warm series of the warm starts; empty when there were none
 * @param warmFuseRequests FUSE requests during the measured warm starts; null when not counted
 * @param resident memory of the node's processes at the end, bytes by name
 */
public record BenchResult(
        @Nullable JsonNode facts,
        List<Series> cold,
        List<Series> warm,
        @Nullable Long warmFuseRequests,
        Map<String, Long> resident) {
    /** Copies the collections. */
    public BenchResult {
        cold = List.copyOf(cold);
        warm = List.copyOf(warm);
        resident = Map.copyOf(resident);
    }
}
