package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The starts of one hour, or of several: {@code GET /v1/starts/series}. Times are until the function was ready, where
 * its readiness was probed, else until its program started.
 *
 * @param hour its begin
 * @param starts all of them
 * @param cold those that had to fetch something
 * @param byClass how many of each class ({@code lazy}, {@code misses}, {@code full}, {@code refused})
 * @param medianMicros of the cold ones' times, nearest rank; null without any
 * @param p95Micros of these, nearest rank; null without any
 * @param medianByClass the median by class, of those that have any
 * @param bytes moved, as far as nodes know
 * @param savedBytes against full pulls
 * @param savedMicros against full pulls
 * @param compared starts that {@code savedMicros} is about because full pulls of their function are recorded
 * @param estimated starts that it is about by an estimate
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
        long savedMicros,
        long compared,
        long estimated) {
    public StartHour {
        byClass = Map.copyOf(byClass);
        medianByClass = Map.copyOf(medianByClass);
    }
}
