package io.faasimage.registry.store.blob;

import java.util.Collection;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The blobs that the database knows. A blob has a row before it is stored, so that garbage collection finds uploads of
 * a killed service that no plan names. Thread-safe.
 */
@Repository
public class BlobTable {
    private final JdbcClient jdbc;

    BlobTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Protects blobs that are about to be stored, or to be named by a plan: for {@code faasimage.garbage.keep} they are
     * no garbage. Waits for a removal under way. Not in a transaction, which would hold the rows of several.
     */
    public void protect(Collection<Blob> blobs) {
        for (Blob blob : blobs) {
            int known = jdbc.sql("UPDATE blobs SET unneeded = NULL WHERE name = ? AND unneeded IS NOT NULL")
                    .param(blob.toString())
                    .update();
            if (known == 0) {
                jdbc.sql("INSERT INTO blobs (name) VALUES (?) ON CONFLICT DO NOTHING")
                        .param(blob.toString())
                        .update();
            }
        }
    }
}
