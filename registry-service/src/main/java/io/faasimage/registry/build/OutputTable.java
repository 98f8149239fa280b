package io.faasimage.registry.build;

import java.io.ByteArrayOutputStream;
import java.sql.ResultSet;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The output of builds, in the database; it is removed with its build. Thread-safe. */
@Repository
class OutputTable {
    /** Most bytes that are added at once. */
    static final int BATCH = 64 << 10;

    private final JdbcClient jdbc;

    OutputTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** How many bytes of a build's output are there. */
    long size(String build) {
        return jdbc.sql("SELECT position + OCTET_LENGTH(bytes) FROM build_output WHERE build = ?"
                        + " ORDER BY position DESC FETCH FIRST ROW ONLY")
                .param(build)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /**
     * Adds a batch where the one before ended; false when the build has ended, as that of a service that was taken for
     * dead.
     */
    boolean add(String build, long position, byte[] bytes) {
        return jdbc.sql(
                                "INSERT INTO build_output (build, position, bytes) SELECT id, CAST(? AS BIGINT), CAST(? AS BYTEA)"
                                        + " FROM builds WHERE id = ? AND finished IS NULL")
                        .params(position, bytes, build)
                        .update()
                == 1;
    }

    /** At most {@code limit} bytes, from a byte on; none when there are not that many. */
    byte[] read(String build, long from, int limit) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        jdbc.sql("SELECT position, bytes FROM build_output WHERE build = ? AND position > ? AND position - ? < ?"
                        + " ORDER BY position")
                .params(build, from - BATCH, from, limit)
                .query((ResultSet row) -> {
                    byte[] bytes = row.getBytes("bytes");
                    int skipped = (int) Math.max(0, from - row.getLong("position"));
                    int wanted = Math.min(bytes.length - skipped, limit - all.size());
                    if (wanted > 0) {
                        all.write(bytes, skipped, wanted);
                    }
                });
        return all.toByteArray();
    }

    /** Forgets what builds printed that ended before a time. */
    void forget(Instant before) {
        jdbc.sql("DELETE FROM build_output WHERE build IN (SELECT id FROM builds WHERE finished < ?)")
                .param(OffsetDateTime.ofInstant(before, ZoneOffset.UTC))
                .update();
    }
}
