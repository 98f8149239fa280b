package io.faasimage.registry.start;

import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import io.faasimage.registry.start.StartHours.HourRow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The sum of the rows of all classes. Not thread-safe. */
final class HourSum {
    private final Instant begin;
    private final HourCounts all = new HourCounts();
    private final Map<String, Long> byClass = new LinkedHashMap<>();
    private final Map<String, StartTimes> timesByClass = new LinkedHashMap<>();

    HourSum(Instant begin) {
        this.begin = begin;
    }

    void add(HourRow row) {
        all.add(row.counts());
        byClass.merge(label(row.kind()), row.counts().starts(), Long::sum);
        timesByClass
                .computeIfAbsent(label(row.kind()), _ -> new StartTimes())
                .add(row.counts().times());
    }

    private Map<String, Long> medianByClass() {
        Map<String, Long> medians = new LinkedHashMap<>();
        timesByClass.forEach((kind, times) -> {
            Long median = times.percentile(50);
            if (median != null) {
                medians.put(kind, median);
            }
        });
        return medians;
    }

    static String label(StartKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    HourCounts all() {
        return all;
    }

    Map<String, Long> byClass() {
        return byClass;
    }

    StartHour hour() {
        return new StartHour(
                begin,
                all.starts(),
                all.cold(),
                byClass,
                all.times().percentile(50),
                all.times().percentile(95),
                medianByClass(),
                all.bytes(),
                all.savedBytes(),
                all.savedMicros());
    }
}
