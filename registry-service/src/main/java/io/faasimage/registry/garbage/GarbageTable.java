package io.faasimage.registry.garbage;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobKind;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Stored files that no plan needs, and since when. Methods that write need a transaction. */
@Repository
class GarbageTable {
    private static final int BATCH = 500;
    private static final int FETCHED = 10_000;

    private final JdbcClient jdbc;
    /** Row by row; the default would bring a whole table into memory. */
    private final JdbcTemplate rows;

    GarbageTable(JdbcClient jdbc, DataSource source) {
        this.jdbc = jdbc;
        this.rows = new JdbcTemplate(source);
        rows.setFetchSize(FETCHED);
    }

    /**
     * The packs that have objects.
     *
     * @param needed those with one that is needed
     * @param unneeded the others
     */
    record Packs(Set<String> needed, Set<String> unneeded) {}

    /** The packs that have objects, by name. */
    Set<String> packs() {
        return jdbc.sql("SELECT DISTINCT pack FROM objects").query(String.class).set();
    }

    /** All packs, by whether they are needed. */
    Packs packs(Predicate<Digest> needed) {
        Set<String> all = new TreeSet<>();
        Set<String> used = new HashSet<>();
        rows.query("SELECT digest, pack FROM objects", row -> {
            String pack = row.getString("pack");
            all.add(pack);
            if (!used.contains(pack) && needed.test(Digest.ofBytes(row.getBytes("digest")))) {
                used.add(pack);
            }
        });
        all.removeAll(used);
        return new Packs(used, all);
    }

    /** The metadata images that are not needed, by hex digest. */
    Set<String> metadataWithout(Predicate<String> needed) {
        Set<String> without = new TreeSet<>();
        rows.query("SELECT digest FROM metadata_images", row -> {
            String hex = Digest.ofBytes(row.getBytes("digest")).hex();
            if (!needed.test(hex)) {
                without.add(hex);
            }
        });
        return without;
    }

    /** The layers of all registered images, by hex digest. */
    Set<String> layers() {
        Set<String> layers = new HashSet<>();
        rows.query("SELECT DISTINCT layer FROM image_layers", row -> {
            layers.add(Digest.parse(row.getString("layer")).hex());
        });
        return layers;
    }

    /** The traces that there are, by hex digest. */
    Set<String> traces() {
        Set<String> traces = new HashSet<>();
        rows.query("SELECT digest FROM traces", row -> {
            traces.add(Digest.parse(row.getString("digest")).hex());
        });
        return traces;
    }

    /** The plans that there are, by hex digest. */
    Set<String> plans() {
        Set<String> plans = new HashSet<>();
        rows.query("SELECT digest FROM plans", row -> {
            plans.add(Digest.parse(row.getString("digest")).hex());
        });
        return plans;
    }

    /** Whether a plan or a trace has its row, which it gets after the file. */
    boolean hasRow(Blob blob) {
        return switch (blob.kind()) {
            case PLAN -> isIn("SELECT COUNT(*) FROM plans WHERE digest = ?", blob);
            case TRACE -> isIn("SELECT COUNT(*) FROM traces WHERE digest = ?", blob);
            case PACK, METADATA, LAYER -> false;
            case STORE -> true;
        };
    }

    private boolean isIn(String query, Blob blob) {
        return jdbc.sql(query)
                        .param("sha256:" + blob.name())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** When a service on this database has last looked for what no plan needs. */
    Optional<Instant> lastSearch() {
        return jdbc.sql("SELECT last FROM garbage_time WHERE last IS NOT NULL")
                .query(OffsetDateTime.class)
                .optional()
                .map(OffsetDateTime::toInstant);
    }

    /**
     * How much time has been seen to pass, in milliseconds. A clock that jumped, and the time for which no service ran,
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
                .params(Math.clamp(passed, 0, most.toMillis()), time(now))
                .update();
        return jdbc.sql("SELECT seen FROM garbage_time").query(Long.class).single();
    }

    /** Notes what is not needed now, in time that was seen to pass; what is needed again is forgotten. */
    void note(BlobKind kind, Set<String> unneeded, long now) {
        Set<String> known = new HashSet<>(jdbc.sql("SELECT name FROM garbage WHERE kind = ?")
                .param(kind.name())
                .query(String.class)
                .list());
        for (String name : known) {
            if (!unneeded.contains(name)) {
                forget(kind, name);
            }
        }
        for (String name : unneeded) {
            if (!known.contains(name)) {
                jdbc.sql("INSERT INTO garbage (kind, name, since) VALUES (?, ?, ?)")
                        .params(kind.name(), name, now)
                        .update();
            }
        }
    }

    /** What has not been needed since {@code since} or longer. */
    List<Blob> unneededSince(BlobKind kind, long since) {
        return jdbc.sql("SELECT name FROM garbage WHERE kind = ? AND since <= ? ORDER BY name")
                .params(kind.name(), since)
                .query((row, number) -> new Blob(kind, row.getString("name")))
                .list();
    }

    /** Takes away the rows of what is in these files; the files are no longer noted. */
    void remove(BlobKind kind, List<Blob> blobs) {
        List<String> names = blobs.stream().map(Blob::name).toList();
        if (kind == BlobKind.PACK) {
            removePacks(names);
        } else if (kind == BlobKind.METADATA) {
            removeMetadata(names);
        }
        names.forEach(name -> forget(kind, name));
    }

    private void removePacks(List<String> packs) {
        for (int from = 0; from < packs.size(); from += BATCH) {
            Collection<String> batch = packs.subList(from, Math.min(packs.size(), from + BATCH));
            jdbc.sql("DELETE FROM objects WHERE pack IN (:packs)")
                    .param("packs", batch)
                    .update();
        }
    }

    private void removeMetadata(List<String> images) {
        for (String hex : images) {
            jdbc.sql("DELETE FROM metadata_images WHERE digest = ?")
                    .param(new Digest(hex).bytes())
                    .update();
        }
    }

    private void forget(BlobKind kind, String name) {
        jdbc.sql("DELETE FROM garbage WHERE kind = ? AND name = ?")
                .params(kind.name(), name)
                .update();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
