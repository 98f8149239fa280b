package io.faasimage.registry.cache;

import io.faasimage.format.id.ChainId;
import io.faasimage.registry.blob.Blob;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The learnt caches in the database, at most one per stack of layers. Thread-safe. */
@Repository
public class CacheTable {
    private final JdbcClient jdbc;

    CacheTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What a start of these layers wrote. */
    public Optional<CacheRow> find(ChainId chain) {
        return jdbc.sql("SELECT * FROM learnt_caches WHERE chain = ?")
                .param(chain.toString())
                .query((row, number) -> new CacheRow(
                        Blob.parse(row.getString("blob")),
                        row.getString("node"),
                        row.getObject("learnt", OffsetDateTime.class).toInstant()))
                .optional();
    }

    /** Adds what a start of these layers wrote, whose blob is stored; false when there is something. */
    public boolean add(ChainId chain, CacheRow caches) {
        return jdbc.sql("INSERT INTO learnt_caches (chain, blob, node, learnt) VALUES (?, ?, ?, ?)"
                                + " ON CONFLICT DO NOTHING")
                        .params(
                                chain.toString(),
                                caches.blob().toString(),
                                caches.node(),
                                OffsetDateTime.ofInstant(caches.learnt(), ZoneOffset.UTC))
                        .update()
                > 0;
    }

    /** Forgets what a start of these layers wrote; false when there was nothing. */
    public boolean remove(ChainId chain) {
        return jdbc.sql("DELETE FROM learnt_caches WHERE chain = ?")
                        .param(chain.toString())
                        .update()
                > 0;
    }
}
