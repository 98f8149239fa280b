package io.faasimage.registry.start;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.start.StartKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Medians of full starts, which other starts are compared with; the last used ones are kept for a minute, as reading
 * one adds up many hours. Thread-safe.
 */
@Component
class FullMedians {
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int MOST = 10_000;

    private record Median(long micros, Instant until) {}

    private final StartHours hours;
    private final Clock clock;
    private final Map<String, Median> recent = BoundedMap.lastUsed(MOST);

    FullMedians(StartHours hours, Clock clock) {
        this.hours = hours;
        this.clock = clock;
    }

    /** Median of the full cold starts of a scope, microseconds; null without any. */
    @Nullable
    Long full(String scope) {
        Instant now = clock.instant();
        synchronized (recent) {
            Median kept = recent.get(scope);
            if (kept != null && now.isBefore(kept.until())) {
                return kept.micros();
            }
        }
        Long median = hours.median(scope, StartKind.FULL);
        if (median != null) {
            synchronized (recent) {
                recent.put(scope, new Median(median, now.plus(KEPT)));
            }
        }
        return median;
    }
}
