package io.faasimage.registry.feedback;

import io.faasimage.api.Json;
import io.faasimage.api.StartInfo;
import io.faasimage.api.StartReport;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.config.RegistrySettings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** The starts that nodes told of, up to a number and an age. Thread-safe. */
@Repository
public class StartTable {
    private static final int LISTED = 100;

    private final JdbcClient jdbc;
    private final Clock clock;
    private final RegistrySettings.Feedback limits;

    StartTable(JdbcClient jdbc, Clock clock, RegistrySettings settings) {
        this.jdbc = jdbc;
        this.clock = clock;
        this.limits = settings.feedback();
    }

    /** Adds a start of a registered image that was reported at this time. */
    void add(Digest image, StartReport start, Instant received) {
        jdbc.sql("INSERT INTO starts (image, plan, node, started, received, kind, coverage, misses, millis, bytes,"
                        + " reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .param(image.toString())
                .param(start.plan())
                .param(start.node())
                .param(time(start.startedAt()))
                .param(time(received))
                .param(start.kind().name())
                .param(start.coverage())
                .param(start.misses().size())
                .param(Json.mapper().writeValueAsString(start.millis()))
                .param(start.bytes())
                .param(start.reason())
                .update();
    }

    /** Forgets those that are too many or too old. */
    void forget() {
        jdbc.sql("DELETE FROM starts WHERE received < ?")
                .param(time(clock.instant().minus(limits.keptFor())))
                .update();
        jdbc.sql("DELETE FROM starts WHERE id <= (SELECT MAX(id) FROM starts) - ?")
                .param(limits.keptStarts())
                .update();
    }

    /** The newest starts of an image, newest first; at most 100. */
    public List<StartInfo> newest(Digest image) {
        return jdbc.sql("SELECT * FROM starts WHERE image = ? ORDER BY id DESC FETCH FIRST " + LISTED + " ROWS ONLY")
                .param(image.toString())
                .query(StartTable::row)
                .list();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private static StartInfo row(ResultSet row, int number) throws SQLException {
        return new StartInfo(
                row.getString("image"),
                row.getString("plan"),
                row.getString("node"),
                row.getObject("started", OffsetDateTime.class).toInstant(),
                StartReport.Kind.valueOf(row.getString("kind")),
                row.getObject("coverage", Double.class),
                row.getInt("misses"),
                Json.mapper().readValue(row.getString("millis"), new TypeReference<Map<String, Long>>() {}),
                row.getLong("bytes"),
                row.getString("reason"));
    }
}
