package io.faasimage.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A start that a node told of: {@code GET /v1/images/{digest}/starts}. As in {@link StartReport}, but for:
 *
 * @param misses number of objects that were fetched on demand
 */
public record StartInfo(
        String image,
        @Nullable String plan,
        String node,
        Instant startedAt,
        @JsonProperty("class") StartReport.Kind kind,
        @Nullable Double coverage,
        int misses,
        Map<String, Long> millis,
        long bytes,
        @Nullable String reason) {
    /** Copies the map. */
    public StartInfo {
        millis = Map.copyOf(millis);
    }
}
