package io.faasimage.registry.images.feedback;

import io.faasimage.format.id.Digest;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The objects that starts of an image missed, with the number of these starts. Thread-safe. */
@Repository
class MissTable {
    private final JdbcClient jdbc;

    MissTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Counts a miss; needs a transaction that holds the image's lock. */
    void count(Digest image, Digest object) {
        int updated = jdbc.sql("UPDATE missed_objects SET starts = starts + 1 WHERE image = ? AND object = ?")
                .params(image.toString(), object.bytes())
                .update();
        if (updated == 0) {
            jdbc.sql("INSERT INTO missed_objects (image, object, starts) VALUES (?, ?, 1)")
                    .params(image.toString(), object.bytes())
                    .update();
        }
    }

    /** The objects that at least {@code starts} starts missed. */
    Set<Digest> of(Digest image, int starts) {
        return jdbc.sql("SELECT object FROM missed_objects WHERE image = ? AND starts >= ?")
                .params(image.toString(), starts)
                .query((row, _) -> Digest.ofBytes(row.getBytes("object")))
                .set();
    }
}
