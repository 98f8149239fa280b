package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One start in a list. As in {@link StartRecord}, but for:
 *
 * @param node that reported it
 * @param micros until all that was read of the image while the start was watched was there ({@link
 *     StartRecord#totalMicros})
 * @param startMicros until its program started ({@link StartRecord#startMicros})
 * @param readyMicros until the function answered its readiness probe; null when it was not probed
 * @param savedBytes the image's compressed size less the moved bytes, of a cold start from a plan; null when not known
 * @param savedMicros time against a full pull, of a cold start from a plan; null when not known. May be negative
 * @param savedEstimated whether {@code savedMicros} is an estimate, because no full pull of this function is recorded
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
        @Nullable Long startMicros,
        @Nullable Long readyMicros,
        @Nullable Long bytes,
        @Nullable Long savedBytes,
        @Nullable Long savedMicros,
        boolean savedEstimated,
        @Nullable Double coverage,
        @Nullable String traceId,
        int demanded) {
    /** Microseconds until the function was ready, or else until its program started: how long the start took. */
    public @Nullable Long tookMicros() {
        return readyMicros == null ? startMicros : readyMicros;
    }
}
