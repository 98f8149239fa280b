package io.faasimage.registry.store.garbage;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobKind;
import io.faasimage.registry.store.object.ObjectTable;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Blobs that nothing needs, and since when. Methods that write need a transaction. */
@Repository
class GarbageTable {
    /** The tables of traces and layers have digests where {@code blobs} has a folder and their hexadecimal form. */
    private static final String UNNEEDED = "NOT EXISTS (SELECT 1 FROM plan_blobs p WHERE p.blob = b.name)"
            + " AND NOT EXISTS (SELECT 1 FROM traces t WHERE t.digest = 'sha256:' || SUBSTRING(b.name FROM 8))"
            + " AND NOT EXISTS (SELECT 1 FROM image_layers l WHERE l.layer = 'sha256:' || SUBSTRING(b.name FROM 8))";

    /** Plans and traces without rows are not read: they stay only as long as they may be about to get theirs. */
    private static final String DUE =
            "unneeded <= CASE WHEN name LIKE 'plans/%' OR name LIKE 'traces/%' THEN ? ELSE ? END";

    /** Bounds the transaction that delays publications. */
    private static final int BATCH = 50;

    private final JdbcClient jdbc;
    private final ObjectTable objects;

    GarbageTable(JdbcClient jdbc, ObjectTable objects) {
        this.jdbc = jdbc;
        this.objects = objects;
    }

    /** The time of the last search for garbage by a service on this database. */
    Optional<Instant> lastSearch() {
        return jdbc.sql("SELECT last FROM garbage_time WHERE last IS NOT NULL")
                .query(OffsetDateTime.class)
                .optional()
                .map(OffsetDateTime::toInstant);
    }

    /**
     * The time that has been seen to pass, in milliseconds. A clock that jumped, and the time for which no service ran,
     * count for {@code most} at most.
     */
    long seenTime(Instant now, Duration most) {
        Optional<OffsetDateTime> last = jdbc.sql("SELECT last FROM garbage_time WHERE last IS NOT NULL FOR UPDATE")
                .query(OffsetDateTime.class)
                .optional();
        long passed = last.map(
                        before -> Duration.between(before.toInstant(), now).toMillis())
                .orElse(0L);
        jdbc.sql("UPDATE garbage_time SET seen = seen + ?, last = ?")
                .params(Math.clamp(passed, 0, most.toMillis()), OffsetDateTime.ofInstant(now, ZoneOffset.UTC))
                .update();
        return jdbc.sql("SELECT seen FROM garbage_time").query(Long.class).single();
    }

    /** Records the blobs that are not needed now, in time that was seen to pass. */
    void note(long now) {
        jdbc.sql("UPDATE blobs b SET unneeded = NULL WHERE unneeded IS NOT NULL AND NOT (" + UNNEEDED + ")")
                .update();
        jdbc.sql("UPDATE blobs b SET unneeded = ? WHERE unneeded IS NULL AND " + UNNEEDED)
                .param(now)
                .update();
    }

    /**
     * Forgets the contents of some of the blobs that have not been needed for long; places must be kept meanwhile.
     *
     * @param after the name of the last one before
     * @param old since when packs, metadata images and layer indexes have not been needed
     * @param recent the same of plans and traces
     * @return these blobs by name, none when there are no more
     */
    List<Blob> forget(String after, long old, long recent) {
        List<Blob> due = jdbc.sql("SELECT name FROM blobs b WHERE name > ? AND " + DUE + " AND " + UNNEEDED
                        + " ORDER BY name FETCH FIRST " + BATCH + " ROWS ONLY")
                .params(after, recent, old)
                .query((row, number) -> Blob.parse(row.getString("name")))
                .list();
        for (Blob blob : due) {
            if (blob.kind() == BlobKind.PACK) {
                objects.removeAll(blob);
            } else if (blob.kind() == BlobKind.METADATA) {
                jdbc.sql("DELETE FROM metadata_images WHERE digest = ?")
                        .param(new Digest(blob.name()).bytes())
                        .update();
            }
        }
        return due;
    }

    /** Removes a blob, unless it was protected since {@code now}; a transaction that protects it waits for the end. */
    boolean forget(Blob blob, long now) {
        return jdbc.sql("DELETE FROM blobs WHERE name = ? AND unneeded < ?")
                        .params(blob.toString(), now)
                        .update()
                == 1;
    }
}
