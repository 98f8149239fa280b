package io.faasimage.api.overview;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole in a few numbers: {@code GET /v1/overview}.
 *
 * @param functions registered
 * @param images by state, {@code planned}, {@code failed} and so on
 * @param nodes that ever reported
 * @param nodesAlive of these, heard a short while ago
 * @param jobs by state, {@code queued}, {@code running} and so on
 * @param since begin of the 24 hours, the present one included, that the rest is about
 * @param starts since then
 * @param coldStarts of these, those that had to fetch something
 * @param byClass how many of each class
 * @param medianMicros of the cold ones, until they were ready or else until their program started; null without any
 * @param p95Micros of the cold ones; null without any
 * @param bytes moved
 * @param savedBytes against full pulls
 * @param savedMicros against full pulls; null when it is known of no start
 * @param compared starts that {@code savedMicros} is about because full pulls of their function are recorded
 * @param estimated starts that it is about by an estimate
 * @param wrong present problems, for people; the worst first, a few at most
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Overview(
        long functions,
        Map<String, Long> images,
        long nodes,
        long nodesAlive,
        Map<String, Long> jobs,
        Instant since,
        long starts,
        long coldStarts,
        Map<String, Long> byClass,
        @Nullable Long medianMicros,
        @Nullable Long p95Micros,
        long bytes,
        long savedBytes,
        @Nullable Long savedMicros,
        long compared,
        long estimated,
        List<Wrong> wrong) {
    public Overview {
        images = Map.copyOf(images);
        jobs = Map.copyOf(jobs);
        byClass = Map.copyOf(byClass);
        wrong = List.copyOf(wrong);
    }

    /**
     * A present problem.
     *
     * @param kind {@code node}, {@code image} or {@code starts}
     * @param subject node or image digest; empty for all
     * @param text one sentence
     */
    public record Wrong(String kind, String subject, String text) {}
}
