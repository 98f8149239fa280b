package io.faasimage.registry.functions.start;

import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Single starts in the database. Thread-safe. */
@Repository
class StartRecordTable {
    /** Microseconds that a start took, as {@link StartSummary#tookMicros} has it. */
    static final String TOOK = "COALESCE(ready_micros, start_micros)";

    private static final String COLUMNS =
            "id, node, started, kind, reason, cold, image, reference, function, micros, start_micros,"
                    + " ready_micros, bytes, saved_bytes, saved_micros, saved_estimated, coverage, trace_id, demanded";
    private static final int CHUNK = 2000;
    private static final long HOUR_SECONDS = 3600;

    private final JdbcClient jdbc;

    StartRecordTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds a start; false when it is there. */
    boolean add(StartDetail detail) {
        StartSummary start = detail.summary();
        return jdbc.sql(
                                "INSERT INTO start_records (" + COLUMNS + ", started_hour, received, detail)"
                                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
                        .param(start.id())
                        .param(start.node())
                        .param(time(start.startedAt()))
                        .param(start.kind().name())
                        .param(start.reason())
                        .param(start.cold())
                        .param(start.image())
                        .param(start.reference())
                        .param(start.function())
                        .param(start.micros())
                        .param(start.startMicros())
                        .param(start.readyMicros())
                        .param(start.bytes())
                        .param(start.savedBytes())
                        .param(start.savedMicros())
                        .param(start.savedEstimated())
                        .param(start.coverage())
                        .param(start.traceId())
                        .param(start.demanded())
                        .param(start.startedAt().getEpochSecond() / HOUR_SECONDS)
                        .param(time(detail.receivedAt()))
                        .param(Json.mapper().writeValueAsBytes(detail.record()))
                        .update()
                == 1;
    }

    /** One start. */
    Optional<StartDetail> find(String id) {
        return jdbc.sql("SELECT " + COLUMNS + ", received, detail FROM start_records WHERE id = ?")
                .param(id)
                .query((row, number) -> new StartDetail(
                        summary(row, number),
                        row.getObject("received", OffsetDateTime.class).toInstant(),
                        Json.mapper().readValue(row.getBytes("detail"), StartRecord.class)))
                .optional();
    }

    /** A part of the list of those that match the query, newest first. */
    Page<StartSummary> list(StartQuery query) {
        Statement statement = statement(query);
        List<StartSummary> found = jdbc.sql(statement.sql())
                .params(statement.params())
                .query(StartRecordTable::summary)
                .list();
        boolean more = found.size() > query.limit();
        List<StartSummary> items = more ? found.subList(0, query.limit()) : found;
        return new Page<>(
                items,
                more
                        ? new StartQuery.Place(
                                        items.getLast().startedAt(),
                                        items.getLast().id())
                                .text()
                        : null);
    }

    /** A statement and its parameters. */
    record Statement(String sql, List<Object> params) {}

    /** One more than requested shows whether there are more. */
    static Statement statement(StartQuery query) {
        List<String> conditions = new ArrayList<>();
        List<Object> params = new ArrayList<>();
        List<String> order = new ArrayList<>();
        equal("function", query.function(), conditions, params, order);
        equal("image", query.image(), conditions, params, order);
        equal("node", query.node(), conditions, params, order);
        equal("kind", query.kind() == null ? null : query.kind().name(), conditions, params, order);
        equal("cold", query.cold(), conditions, params, new ArrayList<>());
        query.place().ifPresent(place -> {
            // An index can use the first condition, on both databases.
            conditions.add("started <= ? AND (started < ? OR id < ?)");
            params.addAll(List.of(time(place.started()), time(place.started()), place.id()));
        });
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        // A constant first column makes the order that of one of the indexes.
        String first = order.isEmpty() ? "" : order.getFirst() + ", ";
        params.add(query.limit() + 1);
        return new Statement(
                "SELECT " + COLUMNS + " FROM start_records" + where + " ORDER BY " + first
                        + "started DESC, id DESC FETCH FIRST ? ROWS ONLY",
                params);
    }

    private static void equal(
            String column, @Nullable Object value, List<String> conditions, List<Object> params, List<String> order) {
        if (value != null) {
            conditions.add(column + " = ?");
            params.add(value);
            order.add(column);
        }
    }

    /** The newest starts of a class since {@code from}, at most {@code limit}: for which reason, and where. */
    List<StartReason> reasons(StartKind kind, Instant from, int limit) {
        return jdbc.sql("SELECT node, kind, reason FROM start_records WHERE kind = ? AND started >= ?"
                        + " ORDER BY kind, started DESC, id DESC FETCH FIRST ? ROWS ONLY")
                .params(kind.name(), time(from), limit)
                .query((row, number) -> new StartReason(
                        row.getString("node"),
                        StartKind.valueOf(row.getString("kind")),
                        Optional.ofNullable(row.getString("reason")).orElse("unknown")))
                .list();
    }

    /** The starts of a range by hour, class and whether they were cold. */
    List<StartSeries.Group> groups(StartRange range) {
        Statement statement = statement(range);
        return jdbc.sql(statement.sql())
                .params(statement.params())
                .query(StartRecordTable::group)
                .list();
    }

    /** One range of an index. The times come one by one, since percentiles of hours do not add up. */
    static Statement statement(StartRange range) {
        List<String> conditions = new ArrayList<>(List.of("started >= ?", "started < ?"));
        List<Object> params = new ArrayList<>(List.of(time(range.from()), time(range.until())));
        equal("function", range.function(), conditions, params, new ArrayList<>());
        equal("image", range.image(), conditions, params, new ArrayList<>());
        equal("node", range.node(), conditions, params, new ArrayList<>());
        return new Statement(
                "SELECT started_hour, kind, cold, COUNT(*) AS starts, ARRAY_AGG(took) FILTER (WHERE took IS NOT NULL) AS took,"
                        + " SUM(bytes) AS bytes, SUM(saved_bytes) AS saved_bytes, SUM(saved_micros) AS saved_micros,"
                        + " COUNT(saved_micros) AS saved, COUNT(*) FILTER (WHERE saved_estimated = TRUE) AS estimated"
                        + " FROM (SELECT started_hour, kind, cold, "
                        + TOOK + " AS took, bytes, saved_bytes, saved_micros, saved_estimated FROM start_records WHERE "
                        + String.join(" AND ", conditions) + ") AS selected GROUP BY started_hour, kind, cold",
                params);
    }

    private static StartSeries.Group group(ResultSet row, int number) throws SQLException {
        Array took = row.getArray("took");
        long estimated = row.getLong("estimated");
        return new StartSeries.Group(
                Instant.ofEpochSecond(row.getLong("started_hour") * HOUR_SECONDS),
                StartKind.valueOf(row.getString("kind")),
                row.getBoolean("cold"),
                row.getLong("starts"),
                took == null
                        ? List.of()
                        : Stream.of((Object[]) took.getArray())
                                .map(micros -> ((Number) micros).longValue())
                                .toList(),
                row.getLong("bytes"),
                row.getLong("saved_bytes"),
                row.getLong("saved_micros"),
                row.getLong("saved") - estimated,
                estimated);
    }

    /** The number of starts of each class since {@code from}, by node. */
    Map<String, Map<String, Long>> byNode(Instant from) {
        Map<String, Map<String, Long>> counts = new HashMap<>();
        jdbc.sql("SELECT node, kind, COUNT(*) AS starts FROM start_records WHERE started >= ? GROUP BY node, kind")
                .param(time(from))
                .query(row -> {
                    counts.computeIfAbsent(row.getString("node"), _ -> new HashMap<>())
                            .put(StartBars.kind(StartKind.valueOf(row.getString("kind"))), row.getLong("starts"));
                });
        return counts;
    }

    /** Removes the starts before {@code end}, and those beyond the newest {@code most}; answers how many. */
    int forget(Instant end, int most) {
        Optional<OffsetDateTime> surplus = jdbc.sql("SELECT started FROM start_records ORDER BY started DESC, id DESC"
                        + " OFFSET ? ROWS FETCH FIRST ROW ONLY")
                .param(most)
                .query(OffsetDateTime.class)
                .optional();
        OffsetDateTime until = surplus.filter(time(end)::isBefore).orElse(time(end));
        int all = 0;
        int some;
        do {
            // In chunks, to keep transactions short. IDs first: H2 scans the table for a DELETE with a subquery, and
            // runs
            // a subquery of the same table again after each deleted row.
            List<String> ids = jdbc.sql("SELECT id FROM start_records WHERE started <= ? ORDER BY started"
                            + " FETCH FIRST " + CHUNK + " ROWS ONLY")
                    .param(until)
                    .query(String.class)
                    .list();
            some = ids.size();
            if (some > 0) {
                all += jdbc.sql("DELETE FROM start_records WHERE id IN (:ids)")
                        .param("ids", ids)
                        .update();
            }
        } while (some == CHUNK);
        return all;
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private static StartSummary summary(ResultSet row, int number) throws SQLException {
        return new StartSummary(
                row.getString("id"),
                row.getString("node"),
                row.getObject("started", OffsetDateTime.class).toInstant(),
                StartKind.valueOf(row.getString("kind")),
                row.getString("reason"),
                row.getBoolean("cold"),
                row.getString("image"),
                row.getString("reference"),
                row.getString("function"),
                row.getObject("micros", Long.class),
                row.getObject("start_micros", Long.class),
                row.getObject("ready_micros", Long.class),
                row.getObject("bytes", Long.class),
                row.getObject("saved_bytes", Long.class),
                row.getObject("saved_micros", Long.class),
                row.getBoolean("saved_estimated"),
                row.getObject("coverage", Double.class),
                row.getString("trace_id"),
                row.getInt("demanded"));
    }
}
