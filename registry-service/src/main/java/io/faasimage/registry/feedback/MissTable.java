package io.faasimage.registry.feedback;

import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The objects that starts of an image missed. Thread-safe. */
@Repository
class MissTable {
    private final JdbcClient jdbc;

    MissTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Counts a miss; needs a transaction that holds the image's lock. */
    void count(Digest image, Digest object, OptionalInt rank) {
        int ranked = rank.isPresent() ? 1 : 0;
        int updated = jdbc.sql("UPDATE missed_objects SET starts = starts + 1, rank_starts = rank_starts + ?,"
                        + " rank_sum = rank_sum + ? WHERE image = ? AND object = ?")
                .params(ranked, rank.orElse(0), image.toString(), object.bytes())
                .update();
        if (updated == 0) {
            jdbc.sql("INSERT INTO missed_objects (image, object, starts, rank_starts, rank_sum)"
                            + " VALUES (?, ?, 1, ?, ?)")
                    .params(image.toString(), object.bytes(), ranked, rank.orElse(0))
                    .update();
        }
    }

    /** The objects that at least {@code starts} starts missed, by digest. */
    List<MissedObject> of(Digest image, int starts) {
        return jdbc.sql("SELECT * FROM missed_objects WHERE image = ? AND starts >= ? ORDER BY object")
                .params(image.toString(), starts)
                .query((row, number) -> new MissedObject(
                        Digest.ofBytes(row.getBytes("object")),
                        row.getInt("starts"),
                        row.getInt("rank_starts") == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of((double) row.getLong("rank_sum") / row.getInt("rank_starts"))))
                .list();
    }
}
