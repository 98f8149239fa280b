package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One start in a list. As in {@link StartRecord}, but for:
 *
 * @param node that reported it
 * @param micros until all that it needed was there ({@link StartRecord#totalMicros})
 * @param readyMicros until the function answered, or listened ({@link StartPhases#ready}); null when it is not known
 * @param savedBytes the image's compressed size less what was moved, of a cold start from a plan; null when not known
 * @param savedMicros median of this function's recorded cold starts as an unplanned image less {@code micros}; null
 *     when there are none. May be negative
 * @param traceId of its spans, when they were exported: 32 hex digits
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StartSummary(
        String id,
        String node,
        Instant startedAt,
        @JsonProperty("class") StartKind kind,
        @Nullable String reason,
        boolean cold,
        @Nullable String image,
        @Nullable String reference,
        @Nullable String function,
        @Nullable Long micros,
        @Nullable Long readyMicros,
        @Nullable Long bytes,
        @Nullable Long savedBytes,
        @Nullable Long savedMicros,
        @Nullable Double coverage,
        @Nullable String traceId,
        int demanded) {}
