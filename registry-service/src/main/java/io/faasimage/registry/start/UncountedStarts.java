package io.faasimage.registry.start;

import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.replica.DatabaseLocks;
import io.faasimage.registry.rollup.RollUp;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The starts that are in no sum of an hour yet. One service at a time adds them up, and what is added goes in the same
 * transaction, so that each is counted once, whichever service dies. Thread-safe.
 */
@Repository
class UncountedStarts implements RollUp.Table {
    private static final int CHUNK = 500;

    private final JdbcClient jdbc;
    private final JdbcTemplate template;
    private final StartHours hours;
    private final DatabaseLocks locks;
    private final TransactionOperations transaction;

    UncountedStarts(
            JdbcClient jdbc,
            JdbcTemplate template,
            StartHours hours,
            DatabaseLocks locks,
            TransactionOperations transaction) {
        this.jdbc = jdbc;
        this.template = template;
        this.hours = hours;
        this.locks = locks;
        this.transaction = transaction;
    }

    /** Adds starts whose records were added in the same transaction. */
    void add(List<String> ids) {
        template.batchUpdate(
                "INSERT INTO uncounted_starts (id) VALUES (?)",
                ids,
                CHUNK,
                (statement, id) -> statement.setString(1, id));
    }

    @Override
    public void addUp() {
        boolean more = true;
        while (more) {
            more = Boolean.TRUE.equals(
                    transaction.execute(_ -> locks.takenIfFree(DatabaseLocks.Name.START_HOURS) && addSome()));
        }
    }

    /** False when these were the last. */
    private boolean addSome() {
        List<String> ids = jdbc.sql("SELECT id FROM uncounted_starts FETCH FIRST " + CHUNK + " ROWS ONLY")
                .query(String.class)
                .list();
        if (ids.isEmpty()) {
            return false;
        }
        List<StartSummary> starts = jdbc.sql(
                        "SELECT " + StartRecordTable.COLUMNS + " FROM start_records WHERE id IN (:ids)")
                .param("ids", ids)
                .query(StartRecordTable::summary)
                .list();
        hours.add(starts);
        jdbc.sql("DELETE FROM uncounted_starts WHERE id IN (:ids)")
                .param("ids", ids)
                .update();
        return ids.size() == CHUNK;
    }

    @Override
    public long waiting() {
        return jdbc.sql("SELECT COUNT(*) FROM uncounted_starts")
                .query(Long.class)
                .single();
    }
}
