package io.faasimage.registry.build;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.replica.Replica;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The builds in the database. Thread-safe. */
@Repository
class BuildTable {
    private final JdbcClient jdbc;
    private final Clock clock;
    private final Replica replica;

    BuildTable(JdbcClient jdbc, Clock clock, Replica replica) {
        this.replica = replica;
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Adds a build that waits. */
    void add(String id, String function, String runtime, String image) {
        jdbc.sql("INSERT INTO builds (id, function, runtime, image, state, phase, done, total, created,"
                        + " owner) VALUES (?, ?, ?, ?, 'QUEUED', 'waits for a worker', 0, 0, ?, ?)")
                .params(id, function, runtime, image, now(), replica.id())
                .update();
    }

    /** Reports the progress of a build; false when it has ended, as that of a service that was taken for dead. */
    boolean progress(String id, String phase, long done, long total) {
        return jdbc.sql("UPDATE builds SET state = 'RUNNING', phase = ?, done = ?, total = ? WHERE id = ?"
                                + " AND finished IS NULL")
                        .params(phase, done, total, id)
                        .update()
                == 1;
    }

    /** A build ended well, unless it has ended before. */
    void done(String id, String digest) {
        jdbc.sql("UPDATE builds SET state = 'DONE', phase = 'done', done = total, digest = ?, finished = ? WHERE id = ?"
                        + " AND finished IS NULL")
                .params(digest, now(), id)
                .update();
    }

    /** A build ended badly, unless it has ended before; what it did last stays to be seen. */
    int failed(String id, String error) {
        return jdbc.sql("UPDATE builds SET state = 'FAILED', error = ?, finished = ? WHERE id = ? AND finished IS NULL")
                .params(error, now(), id)
                .update();
    }

    /** Ends the builds that services left behind which are there no more. */
    int abandon(String error) {
        record Unfinished(String id, @Nullable String owner) {}
        List<Unfinished> unfinished = jdbc.sql("SELECT id, owner FROM builds WHERE finished IS NULL")
                .query((row, number) -> new Unfinished(row.getString("id"), row.getString("owner")))
                .list();
        if (unfinished.isEmpty()) {
            return 0;
        }
        // After the builds: a service has a row before it adds one.
        Set<String> alive = replica.alive();
        return unfinished.stream()
                .filter(build -> build.owner() == null || !alive.contains(build.owner()))
                .mapToInt(build -> failed(build.id(), error))
                .sum();
    }

    /** The build of a function that has not ended. */
    Optional<BuildInfo> unfinished(String function) {
        return jdbc.sql("SELECT * FROM builds WHERE function = ? AND finished IS NULL FETCH FIRST ROW ONLY")
                .param(function)
                .query(BuildTable::row)
                .optional();
    }

    Optional<BuildInfo> find(String id) {
        return jdbc.sql("SELECT * FROM builds WHERE id = ?")
                .param(id)
                .query(BuildTable::row)
                .optional();
    }

    /** All builds, newest first. */
    List<BuildInfo> all() {
        return jdbc.sql("SELECT * FROM builds ORDER BY created DESC, id")
                .query(BuildTable::row)
                .list();
    }

    /** Forgets finished builds beyond the {@code keep} newest; those forgotten. */
    List<String> prune(int keep) {
        List<String> old = jdbc.sql(
                        "SELECT id FROM builds WHERE finished IS NOT NULL" + " ORDER BY finished DESC OFFSET ? ROWS")
                .param(keep)
                .query(String.class)
                .list();
        old.forEach(id -> jdbc.sql("DELETE FROM builds WHERE id = ?").param(id).update());
        return old;
    }

    private OffsetDateTime now() {
        return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private static BuildInfo row(ResultSet row, int number) throws SQLException {
        OffsetDateTime finished = row.getObject("finished", OffsetDateTime.class);
        return new BuildInfo(
                row.getString("id"),
                row.getString("function"),
                row.getString("runtime"),
                row.getString("image"),
                JobInfo.State.valueOf(row.getString("state")),
                row.getString("phase"),
                row.getLong("done"),
                row.getLong("total"),
                row.getString("digest"),
                row.getString("error"),
                row.getObject("created", OffsetDateTime.class).toInstant(),
                finished == null ? null : finished.toInstant());
    }
}
