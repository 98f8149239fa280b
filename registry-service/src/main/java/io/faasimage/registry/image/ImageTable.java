package io.faasimage.registry.image;

import io.faasimage.api.ImageState;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The images in the database. Callers that change several rows open the transaction. Thread-safe. */
@Repository
public class ImageTable {
    private final JdbcClient jdbc;
    private final Clock clock;

    ImageTable(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Adds the image unless it is there; needs a transaction. */
    public void add(RegisteredImage image) {
        if (find(image.digest()).isPresent()) {
            addLayers(image);
            return;
        }
        jdbc.sql("INSERT INTO images (digest, name, state, compressed_size, top_chain, created)"
                        + " VALUES (?, ?, ?, ?, ?, ?)")
                .params(
                        image.digest().toString(),
                        image.reference(),
                        ImageState.UNTRACED.name(),
                        image.compressedSize(),
                        image.topChain().toString(),
                        OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .update();
        for (int i = 0; i < image.chains().size(); i++) {
            jdbc.sql("INSERT INTO image_chains (image, position, chain) VALUES (?, ?, ?)")
                    .params(image.digest().toString(), i, image.chains().get(i).toString())
                    .update();
        }
        addLayers(image);
    }

    private void addLayers(RegisteredImage image) {
        jdbc.sql("DELETE FROM image_layers WHERE image = ?")
                .param(image.digest().toString())
                .update();
        image.layers().stream()
                .distinct()
                .forEach(layer -> jdbc.sql("INSERT INTO image_layers (image, layer) VALUES (?, ?)")
                        .params(image.digest().toString(), layer.toString())
                        .update());
    }

    /** One image. */
    public Optional<ImageRow> find(Digest digest) {
        return jdbc.sql("SELECT * FROM images WHERE digest = ?")
                .param(digest.toString())
                .query(ImageTable::row)
                .optional();
    }

    /** How many images there are in each state that has any. */
    public Map<ImageState, Long> states() {
        Map<ImageState, Long> states = new EnumMap<>(ImageState.class);
        jdbc.sql("SELECT state, COUNT(*) AS images FROM images GROUP BY state").query(row -> {
            states.put(ImageState.valueOf(row.getString("state")), row.getLong("images"));
        });
        return states;
    }

    /** Locks an image's row until the transaction ends, so that its states follow one another; false without it. */
    public boolean lock(Digest digest) {
        return jdbc.sql("SELECT digest FROM images WHERE digest = ? FOR UPDATE")
                .param(digest.toString())
                .query(String.class)
                .optional()
                .isPresent();
    }

    /** All images, newest first. */
    public List<ImageRow> all() {
        return jdbc.sql("SELECT * FROM images ORDER BY created DESC, digest")
                .query(ImageTable::row)
                .list();
    }

    /** The images that contain the chain, newest first. */
    public List<ImageRow> containing(ChainId chain) {
        return jdbc.sql("SELECT i.* FROM images i JOIN image_chains c ON c.image = i.digest WHERE c.chain = ?"
                        + " ORDER BY i.created DESC, i.digest")
                .param(chain.toString())
                .query(ImageTable::row)
                .list();
    }

    /** The images whose whole is the chain, newest first. */
    public List<ImageRow> withTop(ChainId chain) {
        return jdbc.sql("SELECT * FROM images WHERE top_chain = ? ORDER BY created DESC, digest")
                .param(chain.toString())
                .query(ImageTable::row)
                .list();
    }

    /** Chain IDs of an image's layers, bottom first. */
    public List<ChainId> chains(Digest image) {
        return jdbc.sql("SELECT chain FROM image_chains WHERE image = ? ORDER BY position")
                .param(image.toString())
                .query((row, number) -> ChainId.parse(row.getString(1)))
                .list();
    }

    /** A job for the image was queued. */
    public void refactoring(Digest image) {
        jdbc.sql("UPDATE images SET state = ? WHERE digest = ?")
                .params(ImageState.REFACTORING.name(), image.toString())
                .update();
    }

    /** A job made a plan, and nodes get this one from now on; the image goes to {@code state}, since another job may be waiting. */
    public void planned(Digest image, Digest plan, ImageState state) {
        jdbc.sql("UPDATE images SET state = ?, plan = ?, error = NULL WHERE digest = ?")
                .params(state.name(), plan.toString(), image.toString())
                .update();
    }

    /** Nodes get this plan of the image from now on. */
    public void current(Digest image, Digest plan) {
        jdbc.sql("UPDATE images SET plan = ? WHERE digest = ?")
                .params(plan.toString(), image.toString())
                .update();
    }

    /** A job failed; the image goes to {@code state}, since another job may be waiting. */
    public void failed(Digest image, String error, ImageState state) {
        jdbc.sql("UPDATE images SET state = ?, error = ? WHERE digest = ?")
                .params(state.name(), error, image.toString())
                .update();
    }

    /** The image is as it was when it was registered. */
    public void untraced(Digest image) {
        jdbc.sql("UPDATE images SET state = ?, plan = NULL, error = NULL WHERE digest = ?")
                .params(ImageState.UNTRACED.name(), image.toString())
                .update();
    }

    /** Forgets the image. */
    public void remove(Digest image) {
        jdbc.sql("DELETE FROM images WHERE digest = ?").param(image.toString()).update();
    }

    private static ImageRow row(ResultSet row, int number) throws SQLException {
        return new ImageRow(
                Digest.parse(row.getString("digest")),
                row.getString("name"),
                ImageState.valueOf(row.getString("state")),
                row.getLong("compressed_size"),
                ChainId.parse(row.getString("top_chain")),
                Optional.ofNullable(row.getString("plan")).map(Digest::parse),
                Optional.ofNullable(row.getString("error")),
                row.getObject("created", OffsetDateTime.class).toInstant());
    }
}
