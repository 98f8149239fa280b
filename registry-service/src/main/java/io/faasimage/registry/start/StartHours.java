package io.faasimage.registry.start;

import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartSummary;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The starts of each hour, added up. Thread-safe. */
@Repository
class StartHours {
    static final String ALL = "all";
    static final String NODE = "node:";
    static final String IMAGE = "image:";
    static final String FUNCTION = "function:";

    private static final int BATCH = 500;

    private final JdbcClient jdbc;
    private final JdbcTemplate template;

    StartHours(JdbcClient jdbc, JdbcTemplate template) {
        this.jdbc = jdbc;
        this.template = template;
    }

    /** Which row. All transactions change rows in this order, so that none waits for another in a circle. */
    private record Key(String scope, Instant hour, String kind) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::scope).thenComparing(Key::hour).thenComparing(Key::kind);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** Adds starts; needs a transaction, and nobody else to add any meanwhile. */
    void add(List<StartSummary> starts) {
        Map<Key, HourCounts> sums = new TreeMap<>();
        for (StartSummary start : starts) {
            for (String scope : scopes(start)) {
                Key key = new Key(
                        scope,
                        start.startedAt().truncatedTo(ChronoUnit.HOURS),
                        start.kind().name());
                sums.computeIfAbsent(key, k -> new HourCounts()).add(start);
            }
        }
        template.batchUpdate(
                "INSERT INTO start_hours (scope, begins, kind, starts, cold, bytes, saved_bytes, saved_micros, compared,"
                        + " histogram) VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0, '') ON CONFLICT DO NOTHING",
                sums.keySet(),
                BATCH,
                (statement, key) -> id(statement, 1, key));
        Map<Key, StartTimes> there = times(sums.keySet());
        template.batchUpdate(
                "UPDATE start_hours SET starts = starts + ?, cold = cold + ?, bytes = bytes + ?,"
                        + " saved_bytes = saved_bytes + ?, saved_micros = saved_micros + ?, compared = compared + ?,"
                        + " histogram = ? WHERE scope = ? AND begins = ? AND kind = ?",
                sums.entrySet(),
                BATCH,
                (statement, sum) -> {
                    HourCounts more = sum.getValue();
                    more.times().add(there.getOrDefault(sum.getKey(), new StartTimes()));
                    statement.setLong(1, more.starts());
                    statement.setLong(2, more.cold());
                    statement.setLong(3, more.bytes());
                    statement.setLong(4, more.savedBytes());
                    statement.setLong(5, more.savedMicros());
                    statement.setLong(6, more.compared());
                    statement.setString(7, more.times().toString());
                    id(statement, 8, sum.getKey());
                });
    }

    private static List<String> scopes(StartSummary start) {
        List<String> scopes = new ArrayList<>(List.of(ALL, NODE + start.node()));
        Optional.ofNullable(start.image()).ifPresent(image -> scopes.add(IMAGE + image));
        Optional.ofNullable(start.function()).ifPresent(function -> scopes.add(FUNCTION + function));
        return scopes;
    }

    private static void id(PreparedStatement statement, int first, Key key) throws SQLException {
        statement.setString(first, key.scope());
        statement.setObject(first + 1, time(key.hour()));
        statement.setString(first + 2, key.kind());
    }

    /** The times of these hours; locked until the transaction ends. */
    private Map<Key, StartTimes> times(Collection<Key> keys) {
        Map<Key, StartTimes> times = new HashMap<>();
        for (Map.Entry<Instant, List<Key>> hour :
                keys.stream().collect(Collectors.groupingBy(Key::hour)).entrySet()) {
            List<String> scopes =
                    hour.getValue().stream().map(Key::scope).distinct().toList();
            jdbc.sql("SELECT scope, kind, histogram FROM start_hours WHERE begins = :hour AND scope IN (:scopes)"
                            + " FOR UPDATE")
                    .param("hour", time(hour.getKey()))
                    .param("scopes", scopes)
                    .query(row -> {
                        times.put(
                                new Key(row.getString("scope"), hour.getKey(), row.getString("kind")),
                                StartTimes.parse(row.getString("histogram")));
                    });
        }
        return times;
    }

    /** The hours of a scope that had starts, oldest first. */
    List<StartHour> series(String scope, Instant from, Instant until) {
        Map<Instant, HourSum> hours = new TreeMap<>();
        rows(scope, from, until)
                .forEach(row -> hours.computeIfAbsent(row.hour(), HourSum::new).add(row));
        return hours.values().stream().map(HourSum::hour).toList();
    }

    /** All starts of a scope in this time. */
    HourSum sum(String scope, Instant from, Instant until) {
        HourSum sum = new HourSum(from);
        rows(scope, from, until).forEach(sum::add);
        return sum;
    }

    /** Median of the cold starts of this class that a scope ever had, microseconds; null without any. */
    @Nullable
    Long median(String scope, StartKind kind) {
        StartTimes times = new StartTimes();
        jdbc.sql("SELECT histogram FROM start_hours WHERE scope = ? AND kind = ? AND histogram <> ''"
                        + " ORDER BY begins DESC FETCH FIRST 1000 ROWS ONLY")
                .params(scope, kind.name())
                .query(String.class)
                .list()
                .forEach(text -> times.add(StartTimes.parse(text)));
        return times.percentile(50);
    }

    /** Forgets the hours before {@code end}. */
    int forget(Instant end) {
        return jdbc.sql("DELETE FROM start_hours WHERE begins < ?")
                .param(time(end))
                .update();
    }

    private List<HourRow> rows(String scope, Instant from, Instant until) {
        return jdbc.sql(
                        "SELECT * FROM start_hours WHERE scope = ? AND begins >= ? AND begins < ? ORDER BY begins, kind")
                .params(scope, time(from), time(until))
                .query(StartHours::row)
                .list();
    }

    /** A row as it is stored. */
    record HourRow(Instant hour, StartKind kind, HourCounts counts) {}

    private static HourRow row(ResultSet row, int number) throws SQLException {
        return new HourRow(
                row.getObject("begins", OffsetDateTime.class).toInstant(),
                StartKind.valueOf(row.getString("kind")),
                new HourCounts(
                        row.getLong("starts"),
                        row.getLong("cold"),
                        row.getLong("bytes"),
                        row.getLong("saved_bytes"),
                        row.getLong("saved_micros"),
                        row.getLong("compared"),
                        StartTimes.parse(row.getString("histogram"))));
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
