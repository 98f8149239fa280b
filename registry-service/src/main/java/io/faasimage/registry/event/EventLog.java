package io.faasimage.registry.event;

import io.faasimage.api.node.NodeReport.NodeEvent;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.rest.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The events in the database. Thread-safe. */
@Repository
public class EventLog {
    /**
     * The age at which an event is followed: a transaction that began earlier may end later, and its event would be
     * passed over.
     */
    private static final Duration SETTLED = Duration.ofMillis(300);

    private static final int MOST_TEXT = 4000;

    private final JdbcClient jdbc;
    private final Clock clock;

    EventLog(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Something happened to a job. */
    public void job(String job, @Nullable String image, EventInfo.Severity severity, String text) {
        add(clock.instant(), EventInfo.Source.JOB, job, null, null, image, severity, "job", text);
    }

    /** Something happened on a node; an event that was reported before is not kept twice. */
    public void node(String node, String instance, NodeEvent event) {
        add(
                event.at(),
                EventInfo.Source.NODE,
                node,
                instance,
                event.number(),
                null,
                event.severity(),
                event.topic(),
                event.text());
    }

    private void add(
            Instant at,
            EventInfo.Source source,
            String subject,
            @Nullable String instance,
            @Nullable Long number,
            @Nullable String image,
            EventInfo.Severity severity,
            String topic,
            String text) {
        jdbc.sql(
                        "INSERT INTO events (happened, received, source, subject, instance, number, image, severity, topic, text)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
                .param(time(at))
                .param(time(clock.instant()))
                .param(source.name())
                .param(subject)
                .param(instance)
                .param(number)
                .param(image)
                .param(severity.name())
                .param(topic)
                .param(text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text)
                .update();
    }

    /**
     * A part of the list of the events that match the query, newest first.
     *
     * @param after where the part before ended, as given by {@link Page#next}; null for the newest
     */
    public Page<EventInfo> list(EventQuery query, @Nullable Long after, int limit) {
        int most = EventQuery.checked(limit);
        List<String> conditions = new ArrayList<>(List.of("id < ?"));
        List<Object> params = new ArrayList<>(List.of(after == null ? Long.MAX_VALUE : after));
        equal("source", query.source() == null ? null : query.source().name(), conditions, params);
        equal("subject", query.subject(), conditions, params);
        equal("image", query.image(), conditions, params);
        equal("severity", query.severity() == null ? null : query.severity().name(), conditions, params);
        params.add(most + 1);
        List<EventInfo> found = jdbc.sql("SELECT * FROM events WHERE " + String.join(" AND ", conditions)
                        + " ORDER BY id DESC FETCH FIRST ? ROWS ONLY")
                .params(params)
                .query(EventLog::row)
                .list();
        boolean more = found.size() > most;
        List<EventInfo> items = more ? found.subList(0, most) : found;
        return new Page<>(items, more ? Long.toString(items.getLast().id()) : null);
    }

    private static void equal(String column, @Nullable Object value, List<String> conditions, List<Object> params) {
        if (value != null) {
            conditions.add(column + " = ?");
            params.add(value);
        }
    }

    /** The events after one, oldest first; 100 at most, and none of the last moment. */
    public List<EventInfo> following(long id) {
        return jdbc.sql("SELECT * FROM events WHERE id > ? AND received <= ? ORDER BY id FETCH FIRST 100 ROWS ONLY")
                .params(id, time(clock.instant().minus(SETTLED)))
                .query(EventLog::row)
                .list();
    }

    /** The id of the newest event; 0 when there is none. */
    public long newest() {
        return jdbc.sql("SELECT COALESCE(MAX(id), 0) FROM events")
                .query(Long.class)
                .single();
    }

    /** Removes all but the newest {@code most}; answers how many. */
    public int forget(int most) {
        return jdbc.sql("DELETE FROM events WHERE id <= ?")
                .param(newest() - most)
                .update();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private static EventInfo row(ResultSet row, int number) throws SQLException {
        return new EventInfo(
                row.getLong("id"),
                row.getObject("happened", OffsetDateTime.class).toInstant(),
                EventInfo.Source.valueOf(row.getString("source")),
                row.getString("subject"),
                row.getString("image"),
                EventInfo.Severity.valueOf(row.getString("severity")),
                row.getString("topic"),
                row.getString("text"));
    }
}
