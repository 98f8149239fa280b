package io.faasimage.api.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.start.StartKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node: {@code GET /v1/nodes}.
 *
 * @param name unique
 * @param heard when its last report came
 * @param alive whether that is a short while ago
 * @param hitRatio share of the objects needed by starts since its process began that were present; null when none were
 *     needed
 * @param starts its starts of the last day by class ({@code lazy}, {@code misses}, {@code full}, {@code refused})
 * @param reasons why starts of the last day were full or refused, the most frequent first; {@value #MAX_REASONS} at
 *     most
 * @param report its last report, without events
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeInfo(
        String name,
        Instant heard,
        boolean alive,
        @Nullable Double hitRatio,
        Map<String, Long> starts,
        List<Reason> reasons,
        NodeReport report) {
    /** Most reasons that are listed. */
    public static final int MAX_REASONS = 10;

    public NodeInfo {
        starts = Map.copyOf(starts);
        reasons = List.copyOf(reasons);
    }

    /**
     * Why starts went as they did.
     *
     * @param kind of the starts
     * @param text the reason
     * @param starts how many
     */
    public record Reason(StartKind kind, String text, long starts) {}
}
