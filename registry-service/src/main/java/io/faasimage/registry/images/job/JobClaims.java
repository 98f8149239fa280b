package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.registry.platform.replica.Replica;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The running jobs in the database: who runs which, how far it is, and how it leaves the workers. Every change names
 * the run, so that one whose job was given to another service changes nothing. Thread-safe.
 */
@Repository
class JobClaims {
    private static final String IS_TAKEN = "claim = ? AND state = 'RUNNING'";

    private final JdbcClient jdbc;
    private final JobTable jobs;
    private final Replica replica;

    JobClaims(JdbcClient jdbc, JobTable jobs, Replica replica) {
        this.jdbc = jdbc;
        this.jobs = jobs;
        this.replica = replica;
    }

    /**
     * A job that a service runs. A service that has lost it, because others took it for dead, changes nothing of it any
     * more.
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
     * Takes the oldest job that is due and whose image no running job works on. When this fails the job may have been
     * taken all the same.
     *
     * @param run name of the run that begins, a new one
     */
    Optional<Taken> claim(String run) {
        List<String> waiting = jdbc.sql("SELECT id FROM jobs WHERE state = 'QUEUED' AND (due IS NULL OR due <= ?)"
                        + " AND image NOT IN (SELECT image FROM jobs WHERE state = 'RUNNING') ORDER BY created, id"
                        + " FETCH FIRST 10 ROWS ONLY")
                .param(jobs.now())
                .query(String.class)
                .list();
        for (String id : waiting) {
            int claimed = jdbc.sql("UPDATE jobs SET state = 'RUNNING', phase = 'starts', attempts = attempts + 1,"
                            + " owner = ?, claim = ? WHERE id = ? AND state = 'QUEUED'")
                    .params(replica.id(), run, id)
                    .update();
            if (claimed == 1) {
                jobs.report(id, EventInfo.Severity.INFO, "starts");
                return jobs.find(id).map(job -> new Taken(job, run));
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

    /** A running job found a fault of its image that does not end it. */
    void warns(Taken taken, String warning) {
        jobs.report(taken.id(), EventInfo.Severity.FALLBACK, warning);
    }

    /** A running job ended well; false when it does not run any more. */
    boolean done(Taken taken) {
        boolean done = jdbc.sql("UPDATE jobs SET state = 'DONE', phase = 'done', done = total, error = NULL,"
                                + " finished = ? WHERE " + IS_TAKEN)
                        .params(jobs.now(), taken.run())
                        .update()
                == 1;
        if (done) {
            jobs.report(taken.id(), EventInfo.Severity.INFO, "done");
        }
        return done;
    }

    /** A job failed; its last step stays visible. False when it does not run any more. */
    boolean failed(Taken taken, String error) {
        boolean failed = jdbc.sql("UPDATE jobs SET state = 'FAILED', error = ?, finished = ? WHERE " + IS_TAKEN)
                        .params(error, jobs.now(), taken.run())
                        .update()
                == 1;
        if (failed) {
            jobs.report(taken.id(), EventInfo.Severity.ERROR, "failed: " + error);
        }
        return failed;
    }

    private boolean queueAgain(String run, int attempts) {
        return jdbc.sql("UPDATE jobs SET state = 'QUEUED', phase = ?, done = 0, total = 0, attempts = attempts - ?"
                                + " WHERE " + IS_TAKEN)
                        .params(JobTable.WAITING, attempts, run)
                        .update()
                == 1;
    }

    /** Puts a job that its service died under back into the queue; it starts from the beginning. */
    void requeue(Taken taken) {
        if (queueAgain(taken.run(), 0)) {
            jobs.report(taken.id(), EventInfo.Severity.FALLBACK, "starts again: the service ended while it ran");
        }
    }

    /**
     * Puts a job that could not end through no fault of its own back into the queue; that it was started does not
     * count.
     */
    void release(Taken taken, String why) {
        if (queueAgain(taken.run(), 1)) {
            jobs.report(taken.id(), EventInfo.Severity.INFO, why);
        }
    }

    /** Puts a running job that failed back into the queue until it is due; that it was started does not count. */
    boolean retry(Taken taken, String error, Duration pause, boolean counts) {
        boolean waits = jdbc.sql("UPDATE jobs SET state = 'QUEUED', phase = 'waits to try again', done = 0, total = 0,"
                                + " error = ?, attempts = attempts - 1, retries = retries + ?, due = ? WHERE "
                                + IS_TAKEN)
                        .params(error, counts ? 1 : 0, jobs.now().plus(pause), taken.run())
                        .update()
                == 1;
        if (waits) {
            jobs.report(
                    taken.id(), EventInfo.Severity.FALLBACK, "is tried again in " + pause.toMillis() + " ms: " + error);
        }
        return waits;
    }

    /** Jobs that a service which is dead left running, and those of this service. */
    List<Taken> orphanedOrOwn() {
        record Running(Taken job, String owner) {}
        List<Running> running = jdbc.sql("SELECT * FROM jobs WHERE state = 'RUNNING' ORDER BY created, id")
                .query((row, number) -> new Running(taken(row), row.getString("owner")))
                .list();
        if (running.isEmpty()) {
            return List.of();
        }
        // After the jobs: a service has a row before it takes one.
        Set<String> alive = replica.alive();
        return running.stream()
                .filter(job -> job.owner().equals(replica.id()) || !alive.contains(job.owner()))
                .map(Running::job)
                .toList();
    }

    private static Taken taken(ResultSet row) throws SQLException {
        return new Taken(JobTable.job(row), row.getString("claim"));
    }
}
