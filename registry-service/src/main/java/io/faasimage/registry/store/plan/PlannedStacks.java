package io.faasimage.registry.store.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The planned layers of images that have no plan of their own. Thread-safe. */
@Repository
public class PlannedStacks {
    private final JdbcClient jdbc;

    PlannedStacks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The layers of a registered image that its registry was seen to have and that a plan has, too; bottom first. */
    public List<ChainId> shown(Digest image, int limit) {
        return jdbc.sql("SELECT c.chain FROM images i JOIN image_chains c ON c.image = i.digest"
                        + " WHERE i.digest = ? AND c.position < i.shown_layers"
                        + " AND EXISTS (SELECT 1 FROM plan_chains p WHERE p.chain = c.chain)"
                        + " ORDER BY c.position FETCH FIRST " + limit + " ROWS ONLY")
                .param(image.toString())
                .query((row, number) -> ChainId.parse(row.getString(1)))
                .list();
    }
}
