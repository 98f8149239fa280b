package io.faasimage.registry.platform.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Page;
import io.faasimage.registry.platform.list.TextFilter;
import io.faasimage.registry.platform.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The audit log in the database. Records are added, in the transaction of the change that they are of, and removed when
 * they are too old; nothing changes one. Thread-safe.
 */
@Repository
public class AuditLog {
    private static final int MOST_STATE_CHARS = 32_768;

    /** Longer than any name that is accepted; an image reference may have 4096 characters. */
    private static final int MOST_TEXT = 512;

    private final JdbcClient jdbc;
    private final Clock clock;
    private final JsonMapper json = Json.mapper()
            .rebuild()
            .changeDefaultPropertyInclusion(all -> all.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    AuditLog(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * Records a change by the current actor; belongs into the transaction of the change.
     *
     * @param before a record or map without secrets; null when the object is new
     * @param after a record or map without secrets; null when the object is gone
     */
    public void add(AuditAction action, String object, @Nullable Object before, @Nullable Object after) {
        add(Actor.current(), action, object, before, after);
    }

    /** Records a change by {@code actor}. */
    public void add(Actor actor, AuditAction action, String object, @Nullable Object before, @Nullable Object after) {
        jdbc.sql("INSERT INTO audit_log (happened, actor, name, address, action, object, state_before, state_after,"
                        + " request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .param(time(clock.instant().truncatedTo(ChronoUnit.MICROS)))
                .param(text(actor.id()))
                .param(text(actor.name()))
                .param(text(actor.address()))
                .param(action.label())
                .param(text(object))
                .param(encoded(before))
                .param(encoded(after))
                .param(text(actor.request()))
                .update();
    }

    private static String text(String text) {
        String clean = text.replace("\0", "");
        return clean.length() > MOST_TEXT ? clean.substring(0, MOST_TEXT) : clean;
    }

    private @Nullable String encoded(@Nullable Object state) {
        if (state == null) {
            return null;
        }
        String text = json.writeValueAsString(state);
        return text.length() <= MOST_STATE_CHARS
                ? text
                : json.writeValueAsString(Map.of("tooLong", text.getBytes(StandardCharsets.UTF_8).length));
    }

    /**
     * A part of the records that match the query, newest first.
     *
     * @param after where the part before ended, as given by {@link Page#next}; null for the newest
     */
    public Page<AuditRecord> list(AuditQuery query, @Nullable Long after, int limit) {
        if (limit < 1 || limit > AuditQuery.MAX_LIMIT) {
            throw ProblemException.badRequest("'limit' is 1 to " + AuditQuery.MAX_LIMIT + ", not " + limit);
        }
        Conditions conditions = new Conditions(query).and("id < ?", after == null ? Long.MAX_VALUE : after);
        List<AuditRecord> found = select(conditions, "id DESC", limit + 1);
        boolean more = found.size() > limit;
        List<AuditRecord> items = more ? found.subList(0, limit) : found;
        return new Page<>(items, more ? Long.toString(items.getLast().id()) : null);
    }

    /** Records that match the query, oldest first: those after {@code id}, up to {@code last}. */
    public List<AuditRecord> following(AuditQuery query, long id, long last, int limit) {
        return select(new Conditions(query).and("id > ?", id).and("id <= ?", last), "id", limit);
    }

    private List<AuditRecord> select(Conditions conditions, String order, int limit) {
        return jdbc.sql("SELECT * FROM audit_log WHERE " + String.join(" AND ", conditions.texts) + " ORDER BY " + order
                        + " FETCH FIRST ? ROWS ONLY")
                .params(conditions.params)
                .param(limit)
                .query(this::row)
                .list();
    }

    /** The id of the newest record; 0 when there is none. */
    public long newest() {
        return jdbc.sql("SELECT COALESCE(MAX(id), 0) FROM audit_log")
                .query(Long.class)
                .single();
    }

    /** Removes records that are older than {@code kept}. */
    public int forget(Duration kept) {
        return jdbc.sql("DELETE FROM audit_log WHERE happened < ?")
                .param(time(clock.instant().minus(kept)))
                .update();
    }

    private static final class Conditions {
        private final List<String> texts = new ArrayList<>();
        private final List<Object> params = new ArrayList<>();

        Conditions(AuditQuery query) {
            contains("(LOWER(actor) LIKE ? ESCAPE '!' OR LOWER(name) LIKE ? ESCAPE '!')", 2, query.actor());
            contains("LOWER(object) LIKE ? ESCAPE '!'", 1, query.object());
            List<String> actions = AuditAction.matching(query.action());
            if (!actions.isEmpty()) {
                texts.add("action IN (" + String.join(", ", Collections.nCopies(actions.size(), "?")) + ")");
                params.addAll(actions);
            }
            if (query.from() != null) {
                and("happened >= ?", time(query.from()));
            }
            if (query.until() != null) {
                and("happened < ?", time(query.until()));
            }
        }

        private void contains(String condition, int times, @Nullable String text) {
            if (text != null && !text.isEmpty()) {
                texts.add(condition);
                params.addAll(Collections.nCopies(times, TextFilter.pattern(text)));
            }
        }

        Conditions and(String condition, Object value) {
            texts.add(condition);
            params.add(value);
            return this;
        }
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private AuditRecord row(ResultSet row, int number) throws SQLException {
        return new AuditRecord(
                row.getLong("id"),
                row.getObject("happened", OffsetDateTime.class).toInstant(),
                row.getString("actor"),
                row.getString("name"),
                row.getString("address"),
                row.getString("action"),
                row.getString("object"),
                decoded(row.getString("state_before")),
                decoded(row.getString("state_after")),
                row.getString("request"));
    }

    private @Nullable Map<String, @Nullable Object> decoded(@Nullable String text) {
        return text == null ? null : json.readValue(text, new TypeReference<Map<String, @Nullable Object>>() {});
    }
}
