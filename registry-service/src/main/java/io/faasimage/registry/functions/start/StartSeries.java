package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Starts added up by hour.
 *
 * @param total of all of them, as one hour
 * @param hours those that had starts, oldest first
 */
public record StartSeries(StartHour total, List<StartHour> hours) {
    public StartSeries {
        hours = List.copyOf(hours);
    }

    /**
     * The starts of one hour that went alike.
     *
     * @param hour its begin
     * @param starts how many
     * @param took microseconds of each whose time is known
     * @param compared starts of {@code savedMicros} that are no estimates
     */
    record Group(
            Instant hour,
            StartKind kind,
            boolean cold,
            long starts,
            List<Long> took,
            long bytes,
            long savedBytes,
            long savedMicros,
            long compared,
            long estimated) {
        Group {
            took = List.copyOf(took);
        }
    }

    /** The sums of groups; {@code from} is the begin of the first hour. */
    static StartSeries of(Instant from, List<Group> groups) {
        Map<Instant, List<Group>> hours = new TreeMap<>();
        groups.forEach(group ->
                hours.computeIfAbsent(group.hour(), _ -> new ArrayList<>()).add(group));
        return new StartSeries(
                sum(from, groups),
                hours.entrySet().stream()
                        .map(hour -> sum(hour.getKey(), hour.getValue()))
                        .toList());
    }

    private static StartHour sum(Instant begin, List<Group> groups) {
        Map<String, Long> byClass = new TreeMap<>();
        Map<String, List<Long>> took = new TreeMap<>();
        for (Group group : groups) {
            String kind = StartBars.kind(group.kind());
            byClass.merge(kind, group.starts(), Long::sum);
            if (group.cold() && !group.took().isEmpty()) {
                took.computeIfAbsent(kind, _ -> new ArrayList<>()).addAll(group.took());
            }
        }
        Map<String, Long> medians = new TreeMap<>();
        took.forEach((kind, micros) -> medians.put(kind, percentile(sorted(micros.stream()), 50)));
        long[] all = sorted(took.values().stream().flatMap(List::stream));
        return new StartHour(
                begin,
                total(groups, Group::starts),
                total(groups, group -> group.cold() ? group.starts() : 0),
                byClass,
                all.length == 0 ? null : percentile(all, 50),
                all.length == 0 ? null : percentile(all, 95),
                medians,
                total(groups, Group::bytes),
                total(groups, Group::savedBytes),
                total(groups, Group::savedMicros),
                total(groups, Group::compared),
                total(groups, Group::estimated));
    }

    private static long total(List<Group> groups, ToLongFunction<Group> part) {
        return groups.stream().mapToLong(part).sum();
    }

    private static long[] sorted(Stream<Long> micros) {
        return micros.mapToLong(Long::longValue).sorted().toArray();
    }

    /** By nearest rank: a time that one of the starts took. */
    private static long percentile(long[] sorted, int percent) {
        return sorted[(sorted.length * percent + 99) / 100 - 1];
    }
}
