package io.faasimage.registry.functions.start;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.start.DemandFetch;
import io.faasimage.api.start.StartRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A comparison of starts from plans with full pulls: with the median of those that are recorded of the same function or
 * image, which is kept for a minute, or else by an estimate. Thread-safe.
 */
@Component
class SavedTimes {
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int MOST = 10_000;
    /** Fewer bytes do not show how quickly bytes come. */
    private static final long LEAST_BYTES = 1 << 20;

    private final JdbcClient jdbc;
    private final Cache<String, Medians> recent;

    SavedTimes(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.recent = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(KEPT)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** Medians of full starts, microseconds; null without any. */
    private record Medians(@Nullable Long start, @Nullable Long ready) {}

    /**
     * The time that a start saved.
     *
     * @param micros microseconds, negative when it took longer
     * @param estimated whether no full start is recorded
     */
    record Saved(long micros, boolean estimated) {}

    /**
     * The time that a cold start from a plan saved; empty when it is not known.
     *
     * @param savedBytes that a full pull would have moved in addition; null when not known
     */
    Optional<Saved> of(
            StartRecord start, @Nullable String function, @Nullable String image, @Nullable Long savedBytes) {
        return compared(start, "function", function)
                .or(() -> compared(start, "image", image))
                .map(micros -> new Saved(micros, false))
                .or(() -> estimated(start, savedBytes).map(micros -> new Saved(micros, true)));
    }

    /** Like with like: until they were ready, or else until programs started and had the files that they waited for. */
    private Optional<Long> compared(StartRecord start, String column, @Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        Medians full = full(column, value);
        Long ready = start.phases().ready();
        if (ready != null && full.ready() != null) {
            return Optional.of(full.ready() - ready);
        }
        Long started = start.startMicros();
        return started == null || full.start() == null
                ? Optional.empty()
                : Optional.of(full.start() - started - waitedAfter(started, start.demands()));
    }

    /** Microseconds after {@code begin} in which something waited for an object. */
    private static long waitedAfter(long begin, List<DemandFetch> demands) {
        long waited = 0;
        long until = begin;
        for (DemandFetch demand : demands.stream()
                .sorted(Comparator.comparingLong(DemandFetch::at))
                .toList()) {
            long end = demand.at() + demand.waited();
            if (end > until) {
                waited += end - Math.max(demand.at(), until);
                until = end;
            }
        }
        return waited;
    }

    /** The bytes that were not moved, at the rate of those of the prefetch list that were. */
    private static Optional<Long> estimated(StartRecord start, @Nullable Long savedBytes) {
        long bytes = 0;
        long begin = Long.MAX_VALUE;
        long end = 0;
        for (SegmentPull segment : start.segments()) {
            if (segment.begin() != null && segment.end() != null) {
                bytes += segment.bytes();
                begin = Math.min(begin, segment.begin());
                end = Math.max(end, segment.end());
            }
        }
        return savedBytes == null || bytes < LEAST_BYTES || end <= begin
                ? Optional.empty()
                : Optional.of(Math.round((double) savedBytes * (end - begin) / bytes));
    }

    private Medians full(String column, String value) {
        return recent.get(
                column + ":" + value,
                _ -> jdbc.sql("SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY start_micros) AS start_median,"
                                + " PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY ready_micros) AS ready_median"
                                + " FROM start_records WHERE " + column + " = ? AND kind = 'FULL' AND cold = TRUE")
                        .param(value)
                        .query((row, _) -> new Medians(
                                micros(row.getObject("start_median")), micros(row.getObject("ready_median"))))
                        .single());
    }

    private static @Nullable Long micros(@Nullable Object median) {
        return median == null ? null : Math.round(((Number) median).doubleValue());
    }
}
