package io.faasimage.registry.replica;

import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The services on this database. Thread-safe. */
@Repository
class ReplicaTable {
    private final JdbcClient jdbc;

    ReplicaTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Tells that a service is alive, also when it was taken for dead: then it does not collect any more.
     *
     * @param mayCollect false takes away a mark that could not be taken away before
     */
    void beat(String id, boolean mayCollect) {
        int known = jdbc.sql("UPDATE replicas SET beats = beats + 1, collecting = collecting AND ? WHERE id = ?")
                .params(mayCollect, id)
                .update();
        if (known == 0) {
            jdbc.sql("INSERT INTO replicas (id, beats) VALUES (?, 1)").param(id).update();
        }
    }

    /** The beats of all services but one. */
    Map<String, Long> others(String id) {
        Map<String, Long> beats = new HashMap<>();
        jdbc.sql("SELECT id, beats FROM replicas WHERE id <> ?").param(id).query(row -> {
            beats.put(row.getString("id"), row.getLong("beats"));
        });
        return beats;
    }

    /** Removes a service that has not beaten since; false when it has. */
    boolean removeIfStill(String id, long beats) {
        return jdbc.sql("DELETE FROM replicas WHERE id = ? AND beats = ?")
                        .params(id, beats)
                        .update()
                == 1;
    }

    void remove(String id) {
        jdbc.sql("DELETE FROM replicas WHERE id = ?").param(id).update();
    }

    /** Marks a service as one that collects garbage, or not; false when it was taken for dead. */
    boolean collecting(String id, boolean collecting) {
        return jdbc.sql("UPDATE replicas SET collecting = ? WHERE id = ?")
                        .params(collecting, id)
                        .update()
                == 1;
    }

    /** Whether the mark is still there; in a transaction it stays there until the end. */
    boolean stillCollects(String id) {
        return jdbc.sql("UPDATE replicas SET collecting = TRUE WHERE id = ? AND collecting")
                        .param(id)
                        .update()
                == 1;
    }

    /** Whether another service collects garbage. */
    boolean othersCollect(String id) {
        return jdbc.sql("SELECT COUNT(*) FROM replicas WHERE collecting AND id <> ?")
                        .param(id)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** Whether another service runs a job, or one that is dead did and nobody has taken that back yet. */
    boolean othersRunJobs(String id) {
        return jdbc.sql("SELECT COUNT(*) FROM jobs WHERE state = 'RUNNING' AND (owner IS NULL OR owner <> ?)")
                        .param(id)
                        .query(Integer.class)
                        .single()
                > 0;
    }
}
