package io.faasimage.registry.store.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The traces in the database, one per stack of layers. Thread-safe. */
@Repository
public class TraceTable {
    private final JdbcClient jdbc;
    private final Clock clock;

    TraceTable(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** The trace of a stack of layers. */
    public Optional<TraceRow> find(ChainId chain) {
        return jdbc.sql("SELECT * FROM traces WHERE chain = ?")
                .param(chain.toString())
                .query((row, number) -> new TraceRow(
                        Digest.parse(row.getString("digest")),
                        row.getInt("runs"),
                        row.getInt("range_runs"),
                        row.getInt("files")))
                .optional();
    }

    /** Replaces the trace of a stack of layers, whose file is published; needs a transaction. */
    public void put(ChainId chain, TraceRow trace) {
        remove(chain);
        jdbc.sql("INSERT INTO traces (chain, digest, runs, range_runs, files, updated) VALUES (?, ?, ?, ?, ?, ?)")
                .params(
                        chain.toString(),
                        trace.digest().toString(),
                        trace.runs(),
                        trace.rangeRuns(),
                        trace.files(),
                        OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .update();
    }

    /** Removes the trace of a stack of layers. */
    public void remove(ChainId chain) {
        jdbc.sql("DELETE FROM traces WHERE chain = ?").param(chain.toString()).update();
    }
}
