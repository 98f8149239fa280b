package io.faasimage.registry.functions.node;

import io.faasimage.api.node.NodeReport;
import io.faasimage.api.rest.Json;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The last reports of nodes, in the database. Thread-safe. */
@Repository
class NodeTable {
    private final JdbcClient jdbc;

    NodeTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A node as the database has it. */
    record Row(String name, Instant heard, NodeReport report) {}

    void put(String name, Instant heard, NodeReport report) {
        byte[] bytes = Json.mapper().writeValueAsBytes(report);
        jdbc.sql("INSERT INTO nodes (name, heard, report) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .params(name, time(heard), bytes)
                .update();
        jdbc.sql("UPDATE nodes SET heard = ?, report = ? WHERE name = ?")
                .params(time(heard), bytes, name)
                .update();
    }

    /** All nodes by name. */
    List<Row> all() {
        return jdbc.sql("SELECT * FROM nodes ORDER BY name")
                .query((row, number) -> new Row(
                        row.getString("name"),
                        row.getObject("heard", OffsetDateTime.class).toInstant(),
                        Json.mapper().readValue(row.getBytes("report"), NodeReport.class)))
                .list();
    }

    int forget(Instant end) {
        return jdbc.sql("DELETE FROM nodes WHERE heard < ?").param(time(end)).update();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
