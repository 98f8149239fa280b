package io.faasimage.registry.store.plan;

import io.faasimage.api.function.RuntimeInfo;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The runtimes of planned images. Thread-safe. */
@Repository
class RuntimeTable {
    private static final int MAX_RUNTIMES = 1000;

    private final JdbcClient jdbc;

    RuntimeTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** All runtimes by name; at most 1000. */
    public List<RuntimeInfo> all() {
        return jdbc
                .sql("SELECT DISTINCT runtime FROM plans WHERE runtime IS NOT NULL ORDER BY runtime FETCH FIRST "
                        + MAX_RUNTIMES + " ROWS ONLY")
                .query(String.class)
                .list()
                .stream()
                .flatMap(name -> find(name).stream())
                .toList();
    }

    /** A runtime and the newest plan that has it. */
    public Optional<RuntimeInfo> find(String name) {
        return jdbc.sql("SELECT p.digest, s.startup_objects, s.startup_bytes, s.startup_stored,"
                        + " (SELECT COUNT(DISTINCT o.image) FROM plans o WHERE o.runtime = p.runtime) AS images"
                        + " FROM plans p JOIN plan_segments s ON s.plan = p.digest AND s.segment = 'base'"
                        + " WHERE p.runtime = ? ORDER BY p.created DESC, p.version DESC, p.digest"
                        + " FETCH FIRST 1 ROW ONLY")
                .param(name)
                .query((row, number) -> new RuntimeInfo(
                        name,
                        row.getInt("images"),
                        row.getString("digest"),
                        row.getLong("startup_objects"),
                        row.getLong("startup_bytes"),
                        row.getLong("startup_stored")))
                .optional();
    }
}
