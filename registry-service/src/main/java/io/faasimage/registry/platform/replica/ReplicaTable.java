package io.faasimage.registry.platform.replica;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The services on this database. Thread-safe. */
@Repository
class ReplicaTable {
    private final JdbcClient jdbc;

    ReplicaTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Records that a service is alive, also when it was taken for dead. */
    void beat(String id) {
        int known = jdbc.sql("UPDATE replicas SET beats = beats + 1 WHERE id = ?")
                .param(id)
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

    /** All services. */
    Set<String> all() {
        return Set.copyOf(
                jdbc.sql("SELECT id FROM replicas").query(String.class).list());
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
}
