package io.faasimage.registry.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartSeriesTest {
    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");

    private static StartSeries.Group group(int hour, StartKind kind, boolean cold, List<Long> took) {
        return new StartSeries.Group(
                FROM.plus(Duration.ofHours(hour)), kind, cold, took.size() + 1, took, 1, 2, 3, 4, 5);
    }

    @Test
    void percentilesAreTimesOfStartsByNearestRank() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int size = 1; size < 300; size++) {
            List<Long> took = random.longs(size, 1, 86_400_000_000L).boxed().toList();
            List<Long> sorted = took.stream().sorted().toList();
            StartHour total = StartSeries.of(FROM, List.of(group(0, StartKind.LAZY, true, took)))
                    .total();
            assertThat(total.medianMicros()).as("seed %d, %d", seed, size).isEqualTo(sorted.get((size + 1) / 2 - 1));
            assertThat(total.p95Micros())
                    .as("seed %d, %d", seed, size)
                    .isEqualTo(sorted.get((int) Math.ceil(size * 0.95) - 1));
        }
    }

    @Test
    void theTotalIsOfAllHoursAndOnlyColdStartsHaveTimes() {
        StartSeries series = StartSeries.of(
                FROM,
                List.of(
                        group(7, StartKind.FULL, true, List.of(900L)),
                        group(0, StartKind.LAZY, true, List.of(30L, 10L)),
                        group(0, StartKind.LAZY, false, List.of(1L)),
                        group(0, StartKind.REFUSED, true, List.of())));
        assertThat(series.hours()).extracting(StartHour::hour).containsExactly(FROM, FROM.plus(Duration.ofHours(7)));
        StartHour total = series.total();
        assertThat(List.of(total.starts(), total.cold(), total.bytes(), total.savedBytes(), total.savedMicros()))
                .containsExactly(8L, 6L, 4L, 8L, 12L);
        assertThat(total.medianMicros()).isEqualTo(30);
        assertThat(series.hours().getFirst().medianMicros()).isEqualTo(10);
        assertThat(total.medianByClass()).containsOnlyKeys("lazy", "full");
    }

    @Test
    void withoutStartsThereIsNoTime() {
        StartSeries none = StartSeries.of(FROM, List.of());
        assertThat(none.hours()).isEmpty();
        assertThat(none.total().starts()).isZero();
        assertThat(none.total().medianMicros()).isNull();
        assertThat(none.total().hour()).isEqualTo(FROM);
    }
}
