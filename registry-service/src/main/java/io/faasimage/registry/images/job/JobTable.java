package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.event.EventLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The jobs in the database: a queue in order of creation. Thread-safe. */
@Repository
public class JobTable {
    /** The phase of a job that waits. */
    static final String WAITING = "waits for a worker";

    /** So many jobs are forgotten at a time. */
    private static final int CHUNK = 1000;

    private final JdbcClient jdbc;
    private final Clock clock;
    private final EventLog events;

    JobTable(JdbcClient jdbc, Clock clock, EventLog events) {
        this.jdbc = jdbc;
        this.clock = clock;
        this.events = events;
    }

    /** Reports the event of a job. */
    void report(String id, EventInfo.Severity severity, String text) {
        find(id).ifPresent(job -> events.job(id, job.image(), severity, text));
    }

    /**
     * The job that waits for the image, which is due now; a new one when none does. Needs a transaction that holds the
     * image's lock.
     */
    public JobInfo queue(Digest image) {
        jdbc.sql("UPDATE jobs SET due = NULL, retries = 0 WHERE image = ? AND state = 'QUEUED'")
                .param(image.toString())
                .update();
        Optional<JobInfo> waiting = jdbc.sql("SELECT * FROM jobs WHERE image = ? AND state = 'QUEUED'"
                        + " ORDER BY created, id FETCH FIRST ROW ONLY")
                .param(image.toString())
                .query(JobTable::row)
                .optional();
        return waiting.orElseGet(() -> {
            String id = UUID.randomUUID().toString();
            jdbc.sql("INSERT INTO jobs (id, image, state, phase, done, total, attempts, created)"
                            + " VALUES (?, ?, 'QUEUED', ?, 0, 0, 0, ?)")
                    .params(id, image.toString(), WAITING, now())
                    .update();
            report(id, EventInfo.Severity.INFO, "queued");
            return find(id).orElseThrow();
        });
    }

    /** The number of retries of a job after failures. */
    public int retries(String id) {
        return jdbc.sql("SELECT retries FROM jobs WHERE id = ?")
                .param(id)
                .query(Integer.class)
                .single();
    }

    /** Jobs that run. */
    public List<JobInfo> running() {
        return jdbc.sql("SELECT * FROM jobs WHERE state = 'RUNNING' ORDER BY created, id")
                .query(JobTable::row)
                .list();
    }

    /** The number of starts of a job. */
    public int attempts(String id) {
        return jdbc.sql("SELECT attempts FROM jobs WHERE id = ?")
                .param(id)
                .query(Integer.class)
                .single();
    }

    /** Whether a job waits for the image. */
    public boolean isQueued(Digest image) {
        return jdbc.sql("SELECT COUNT(*) FROM jobs WHERE image = ? AND state = 'QUEUED'")
                        .param(image.toString())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** One job. */
    public Optional<JobInfo> find(String id) {
        return jdbc.sql("SELECT * FROM jobs WHERE id = ?")
                .param(id)
                .query(JobTable::row)
                .optional();
    }

    /** All jobs, newest first. */
    public List<JobInfo> all() {
        return jdbc.sql("SELECT * FROM jobs ORDER BY created DESC, id")
                .query(JobTable::row)
                .list();
    }

    /**
     * Jobs in one state.
     *
     * @param count how many
     * @param oldest when the first of them was created
     */
    public record Group(long count, Instant oldest) {}

    /** The number of jobs in each state that has any. */
    public Map<JobInfo.State, Group> groups() {
        Map<JobInfo.State, Group> groups = new EnumMap<>(JobInfo.State.class);
        jdbc.sql("SELECT state, COUNT(*) AS jobs, MIN(created) AS oldest FROM jobs GROUP BY state")
                .query(row -> {
                    groups.put(
                            JobInfo.State.valueOf(row.getString("state")),
                            new Group(
                                    row.getLong("jobs"),
                                    row.getObject("oldest", OffsetDateTime.class)
                                            .toInstant()));
                });
        return groups;
    }

    /** Removes the jobs that wait for the image. */
    public void cancel(Digest image) {
        jdbc.sql("DELETE FROM jobs WHERE image = ? AND state = 'QUEUED'")
                .param(image.toString())
                .update();
    }

    /** Removes finished jobs beyond the {@code keep} newest, a bounded number in one call. */
    public void prune(int keep) {
        List<String> ids = jdbc.sql("SELECT id FROM jobs WHERE state IN ('DONE', 'FAILED')"
                        + " ORDER BY finished DESC OFFSET ? ROWS FETCH FIRST " + CHUNK + " ROWS ONLY")
                .param(keep)
                .query(String.class)
                .list();
        // By ID: in H2 a DELETE with a subquery of its own table runs it again after each row that it removes.
        if (!ids.isEmpty()) {
            jdbc.sql("DELETE FROM jobs WHERE id IN (:ids)").param("ids", ids).update();
        }
    }

    OffsetDateTime now() {
        return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private static JobInfo row(ResultSet row, int number) throws SQLException {
        return job(row);
    }

    /** The job that a row of the table, with all its columns, is. */
    public static JobInfo job(ResultSet row) throws SQLException {
        OffsetDateTime finished = row.getObject("finished", OffsetDateTime.class);
        return new JobInfo(
                row.getString("id"),
                row.getString("image"),
                JobInfo.State.valueOf(row.getString("state")),
                row.getString("phase"),
                row.getLong("done"),
                row.getLong("total"),
                row.getString("error"),
                row.getObject("created", OffsetDateTime.class).toInstant(),
                finished == null ? null : finished.toInstant());
    }
}
