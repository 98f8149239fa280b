package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The starts of one hour: {@code GET /v1/starts/series}.
 *
 * @param hour its begin
 * @param starts all of them
 * @param cold those that had to bring something
 * @param byClass how many of each class ({@code lazy}, {@code misses}, {@code full}, {@code refused})
 * @param medianMicros of the cold ones' times; null without any. Within 5 %
 * @param p95Micros of these, nearest rank; null without any. Within 5 %
 * @param medianByClass the same by class, of those that have any
 * @param bytes moved, as far as nodes know
 * @param savedBytes against full pulls
 * @param savedMicros against recorded full pulls of the same function
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StartHour(
        Instant hour,
        long starts,
        long cold,
        Map<String, Long> byClass,
        @Nullable Long medianMicros,
        @Nullable Long p95Micros,
        Map<String, Long> medianByClass,
        long bytes,
        long savedBytes,
        long savedMicros) {
    /** Copies the maps; an older service tells no medians. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public StartHour {
        byClass = Map.copyOf(byClass);
        medianByClass = medianByClass == null ? Map.of() : Map.copyOf(medianByClass);
    }
}
