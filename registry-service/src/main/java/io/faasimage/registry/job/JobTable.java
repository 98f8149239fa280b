package io.faasimage.registry.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.replica.Replica;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
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
    private static final String WAITING = "waits for a worker";
    private static final String IS_TAKEN = "COALESCE(claim, id) = ? AND state = 'RUNNING'";

    private final JdbcClient jdbc;
    private final Clock clock;
    private final EventLog events;
    private final Replica replica;

    JobTable(JdbcClient jdbc, Clock clock, EventLog events, Replica replica) {
        this.replica = replica;
        this.jdbc = jdbc;
        this.clock = clock;
        this.events = events;
    }

    private void tell(String id, EventInfo.Severity severity, String text) {
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
            tell(id, EventInfo.Severity.INFO, "queued");
            return find(id).orElseThrow();
        });
    }

    /**
     * A job that somebody runs. Who has lost it, because others took him for dead, changes nothing of it any more.
     *
     * @param job as it was when it was taken
     * @param run name of this run of it
     */
    record Taken(JobInfo job, String run) {
        String id() {
            return job.id();
        }
    }

    /**
     * Takes the oldest job that is due and whose image no running job works on; none while another service removes what
     * jobs could use. When this fails the job may have been taken all the same.
     *
     * @param run name of the run that begins, a new one
     */
    Optional<Taken> claim(String run) {
        List<String> waiting = jdbc.sql("SELECT id FROM jobs WHERE state = 'QUEUED' AND (due IS NULL OR due <= ?)"
                        + " AND image NOT IN (SELECT image FROM jobs WHERE state = 'RUNNING') ORDER BY created, id"
                        + " FETCH FIRST 10 ROWS ONLY")
                .param(now())
                .query(String.class)
                .list();
        for (String id : waiting) {
            int claimed = jdbc.sql("UPDATE jobs SET state = 'RUNNING', phase = 'starts', attempts = attempts + 1,"
                            + " owner = ?, claim = ? WHERE id = ? AND state = 'QUEUED'")
                    .params(replica.id(), run, id)
                    .update();
            if (claimed == 1) {
                if (replica.othersCollect()) {
                    queueAgain(run, 1);
                    return Optional.empty();
                }
                tell(id, EventInfo.Severity.INFO, "starts");
                return find(id).map(job -> new Taken(job, run));
            }
        }
        return Optional.empty();
    }

    /** Reports progress of a running job. */
    void progress(Taken taken, String phase, long done, long total) {
        jdbc.sql("UPDATE jobs SET phase = ?, done = ?, total = ? WHERE " + IS_TAKEN)
                .params(phase, done, total, taken.run())
                .update();
    }

    /** A running job ended well; false when it does not run any more. */
    boolean done(Taken taken) {
        boolean done = jdbc.sql("UPDATE jobs SET state = 'DONE', phase = 'done', done = total, error = NULL,"
                                + " finished = ? WHERE " + IS_TAKEN)
                        .params(now(), taken.run())
                        .update()
                == 1;
        if (done) {
            tell(taken.id(), EventInfo.Severity.INFO, "done");
        }
        return done;
    }

    /** A job ended badly; what it did last stays to be seen. False when it does not run any more. */
    boolean failed(Taken taken, String error) {
        boolean failed = jdbc.sql("UPDATE jobs SET state = 'FAILED', error = ?, finished = ? WHERE " + IS_TAKEN)
                        .params(error, now(), taken.run())
                        .update()
                == 1;
        if (failed) {
            tell(taken.id(), EventInfo.Severity.ERROR, "failed: " + error);
        }
        return failed;
    }

    private boolean queueAgain(String run, int attempts) {
        return jdbc.sql("UPDATE jobs SET state = 'QUEUED', phase = ?, done = 0, total = 0, attempts = attempts - ?"
                                + " WHERE " + IS_TAKEN)
                        .params(WAITING, attempts, run)
                        .update()
                == 1;
    }

    /** Puts a job that its service died under back into the queue; it starts from the beginning. */
    void requeue(Taken taken) {
        if (queueAgain(taken.run(), 0)) {
            tell(taken.id(), EventInfo.Severity.FALLBACK, "starts again: the service ended while it ran");
        }
    }

    /**
     * Puts a job that could not end through no fault of its own back into the queue; that it was started does not
     * count.
     */
    void release(Taken taken, String why) {
        if (queueAgain(taken.run(), 1)) {
            tell(taken.id(), EventInfo.Severity.INFO, why);
        }
    }

    /** Puts a running job that failed back into the queue until it is due; that it was started does not count. */
    boolean retry(Taken taken, String error, Duration pause, boolean counts) {
        boolean waits = jdbc.sql("UPDATE jobs SET state = 'QUEUED', phase = 'waits to try again', done = 0, total = 0,"
                                + " error = ?, attempts = attempts - 1, retries = retries + ?, due = ? WHERE "
                                + IS_TAKEN)
                        .params(error, counts ? 1 : 0, now().plus(pause), taken.run())
                        .update()
                == 1;
        if (waits) {
            tell(taken.id(), EventInfo.Severity.FALLBACK, "is tried again in " + pause.toMillis() + " ms: " + error);
        }
        return waits;
    }

    /** How often a job was tried again after it failed. */
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

    /** Jobs that a service which is dead left running, and those of this service. */
    List<Taken> orphanedOrOwn() {
        return jdbc.sql("SELECT * FROM jobs WHERE state = 'RUNNING' AND (owner IS NULL OR owner = ? OR owner NOT IN"
                        + " (SELECT id FROM replicas)) ORDER BY created, id")
                .param(replica.id())
                .query(JobTable::taken)
                .list();
    }

    /** Jobs from before services had names have no name of their run, and their own stands for it. */
    private static Taken taken(ResultSet row, int number) throws SQLException {
        String run = row.getString("claim");
        return new Taken(job(row), run == null ? row.getString("id") : run);
    }

    /** How often a job was started. */
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

    /** How many jobs there are in each state that has any. */
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

    /** Forgets finished jobs beyond the {@code keep} newest. */
    public void prune(int keep) {
        jdbc.sql("DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE state IN ('DONE', 'FAILED')"
                        + " ORDER BY finished DESC OFFSET ? ROWS)")
                .param(keep)
                .update();
    }

    private OffsetDateTime now() {
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
