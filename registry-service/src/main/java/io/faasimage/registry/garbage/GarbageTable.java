package io.faasimage.registry.garbage;

import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Stored files that no plan needs, and since when. All methods need a transaction. */
@Repository
class GarbageTable {
    private static final int BATCH = 500;
    private static final int FETCHED = 10_000;

    private final JdbcClient jdbc;
    /** Row by row; the default would bring a whole table into memory. */
    private final JdbcTemplate rows;

    /** What a file is. */
    enum Kind {
        PACK,
        METADATA
    }

    GarbageTable(JdbcClient jdbc, DataSource source) {
        this.jdbc = jdbc;
        this.rows = new JdbcTemplate(source);
        rows.setFetchSize(FETCHED);
    }

    /** The packs without an object that is needed. */
    Set<String> packsWithout(Predicate<Digest> needed) {
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
        return all;
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

    /** Notes what is not needed now; what is needed again is forgotten. */
    void note(Kind kind, Set<String> unneeded, Instant now) {
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
                        .params(kind.name(), name, time(now))
                        .update();
            }
        }
    }

    /** What has not been needed since {@code since} or longer. */
    List<String> unneededSince(Kind kind, Instant since) {
        return jdbc.sql("SELECT name FROM garbage WHERE kind = ? AND since <= ? ORDER BY name")
                .params(kind.name(), time(since))
                .query(String.class)
                .list();
    }

    /** Takes away the rows of these packs' objects. */
    void removePacks(List<String> packs) {
        for (int from = 0; from < packs.size(); from += BATCH) {
            Collection<String> batch = packs.subList(from, Math.min(packs.size(), from + BATCH));
            jdbc.sql("DELETE FROM objects WHERE pack IN (:packs)")
                    .param("packs", batch)
                    .update();
        }
        packs.forEach(pack -> forget(Kind.PACK, pack));
    }

    /** Takes away the rows of these metadata images. */
    void removeMetadata(List<String> images) {
        for (String hex : images) {
            jdbc.sql("DELETE FROM metadata_images WHERE digest = ?")
                    .param(new Digest(hex).bytes())
                    .update();
            forget(Kind.METADATA, hex);
        }
    }

    private void forget(Kind kind, String name) {
        jdbc.sql("DELETE FROM garbage WHERE kind = ? AND name = ?")
                .params(kind.name(), name)
                .update();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
