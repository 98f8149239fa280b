package io.faasimage.registry.start;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of the durations of starts, in steps of an eighth of a doubling: percentiles within 5 %, and sums of any
 * number of these cost the same. Text is {@code step:count} with commas between, empty for none. Not thread-safe.
 */
final class StartTimes {
    private static final double STEPS = 8;

    private final TreeMap<Integer, Long> counts = new TreeMap<>();
    private long total;

    static StartTimes parse(String text) {
        StartTimes times = new StartTimes();
        if (!text.isEmpty()) {
            for (String part : text.split(",", -1)) {
                int colon = part.indexOf(':');
                times.count(Integer.parseInt(part, 0, colon, 10), Long.parseLong(part, colon + 1, part.length(), 10));
            }
        }
        return times;
    }

    void add(long micros) {
        count((int) Math.round(STEPS * Math.log((double) Math.max(1, micros)) / Math.log(2)), 1);
    }

    void add(StartTimes other) {
        other.counts.forEach(this::count);
    }

    private void count(int step, long count) {
        counts.merge(step, count, Long::sum);
        total += count;
    }

    long total() {
        return total;
    }

    /** The time, microseconds, below which so many of a hundred starts were (nearest rank); null without any. */
    @Nullable
    Long percentile(int percent) {
        long rank = Math.max(1, (total * percent + 99) / 100);
        long seen = 0;
        for (Map.Entry<Integer, Long> step : counts.entrySet()) {
            seen += step.getValue();
            if (seen >= rank) {
                return Math.round(Math.pow(2, step.getKey() / STEPS));
            }
        }
        return null;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach((step, count) ->
                text.append(text.isEmpty() ? "" : ",").append(step).append(':').append(count));
        return text.toString();
    }
}
