package io.faasimage.registry.images.image;

import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The images in the database. Callers that change several rows open the transaction. Thread-safe. */
@Repository
public class ImageTable {
    /** Most references of an image that are tried. */
    private static final int REFERENCES = 4;

    private final JdbcClient jdbc;
    private final Clock clock;

    ImageTable(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Adds the image unless it is there; needs a transaction. */
    public void add(RegisteredImage image) {
        if (find(image.digest()).isPresent()) {
            jdbc.sql("UPDATE images SET shown_layers = GREATEST(shown_layers, ?), index_digest = ? WHERE digest = ?")
                    .param(image.shown())
                    .param(image.index().map(Digest::toString).orElse(null))
                    .param(image.digest().toString())
                    .update();
            addLayers(image);
            return;
        }
        jdbc.sql("INSERT INTO images (digest, name, repository, state, compressed_size, top_chain, shown_layers,"
                        + " index_digest, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .param(image.digest().toString())
                .param(image.reference())
                .param(image.repository())
                .param(ImageState.UNTRACED.name())
                .param(image.compressedSize())
                .param(image.topChain().toString())
                .param(image.shown())
                .param(image.index().map(Digest::toString).orElse(null))
                .param(OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .update();
        for (int i = 0; i < image.chains().size(); i++) {
            jdbc.sql("INSERT INTO image_chains (image, position, chain) VALUES (?, ?, ?)")
                    .params(image.digest().toString(), i, image.chains().get(i).toString())
                    .update();
        }
        addLayers(image);
    }

    /** The index that named the image's manifest at its last registration, if one did. */
    public Optional<Digest> index(Digest image) {
        return jdbc.sql("SELECT index_digest FROM images WHERE digest = ? AND index_digest IS NOT NULL")
                .param(image.toString())
                .query(String.class)
                .optional()
                .map(Digest::parse);
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

    /**
     * An image and the plan that nodes get.
     *
     * @param image its manifest digest
     * @param plan its digest
     */
    public record Planned(Digest image, Digest plan) {}

    /** The images that have a plan. */
    public List<Planned> planned() {
        return jdbc.sql("SELECT digest, plan FROM images WHERE plan IS NOT NULL ORDER BY created, digest")
                .query((row, _) -> new Planned(Digest.parse(row.getString(1)), Digest.parse(row.getString(2))))
                .list();
    }

    /** The number of images in each state that has any. */
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

    /** Variant of {@link #lock} that returns false at once when another transaction has the lock. */
    public boolean lockIfFree(Digest digest) {
        return jdbc.sql("SELECT digest FROM images WHERE digest = ? FOR UPDATE SKIP LOCKED")
                .param(digest.toString())
                .query(String.class)
                .optional()
                .isPresent();
    }

    /** The newest image whose whole is the chain. */
    public Optional<ImageRow> newestWithTop(ChainId chain) {
        return jdbc.sql(
                        "SELECT * FROM images WHERE top_chain = ? ORDER BY top_chain, created DESC FETCH FIRST ROW ONLY")
                .param(chain.toString())
                .query(ImageTable::row)
                .optional();
    }

    /** Whether a start of the image missed an object, or a part of one. */
    public boolean hasMisses(Digest image) {
        return jdbc.sql("SELECT 1 FROM missed_objects WHERE image = ? FETCH FIRST ROW ONLY")
                .param(image.toString())
                .query(Integer.class)
                .optional()
                .isPresent();
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

    /**
     * Where the image is to be found: the references of its functions, the newest first, and that of its first
     * registration.
     */
    public List<String> references(Digest image) {
        SequencedSet<String> references = new LinkedHashSet<>(
                jdbc.sql("SELECT reference FROM functions WHERE image = ? ORDER BY created DESC, name FETCH FIRST "
                                + REFERENCES + " ROWS ONLY")
                        .param(image.toString())
                        .query(String.class)
                        .list());
        find(image).ifPresent(row -> references.add(row.name()));
        return List.copyOf(references);
    }

    /** A failed image is queued again at this time, unless something else happens to it before. */
    public void retryAt(Digest image, Instant time) {
        jdbc.sql("UPDATE images SET retry = ? WHERE digest = ?")
                .params(OffsetDateTime.ofInstant(time, ZoneOffset.UTC), image.toString())
                .update();
    }

    /** Failed images that are to be queued again now; some of them. */
    public List<Digest> dueAgain() {
        return jdbc.sql("SELECT digest FROM images WHERE retry <= ? ORDER BY retry FETCH FIRST 10 ROWS ONLY")
                .param(OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .query((row, number) -> Digest.parse(row.getString(1)))
                .list();
    }

    /** A job for the image was queued. */
    public void refactoring(Digest image) {
        jdbc.sql("UPDATE images SET state = ?, retry = NULL WHERE digest = ?")
                .params(ImageState.REFACTORING.name(), image.toString())
                .update();
    }

    /**
     * A job read all layers and made a plan, and nodes get this one from now on; the image goes to {@code state}, since
     * another job may be waiting.
     */
    public void planned(Digest image, Digest plan, ImageState state) {
        jdbc.sql("UPDATE images SET state = ?, plan = ?, error = NULL, retry = NULL,"
                        + " shown_layers = (SELECT COUNT(*) FROM image_chains c WHERE c.image = images.digest)"
                        + " WHERE digest = ?")
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
        jdbc.sql("UPDATE images SET state = ?, error = ?, retry = NULL WHERE digest = ?")
                .params(state.name(), error, image.toString())
                .update();
    }

    /** The image is as it was when it was registered. */
    public void untraced(Digest image) {
        jdbc.sql("UPDATE images SET state = ?, plan = NULL, error = NULL, retry = NULL WHERE digest = ?")
                .params(ImageState.UNTRACED.name(), image.toString())
                .update();
    }

    /** A job ended without a plan of the image, of which no start was traced; an earlier plan stays. */
    public void unpredicted(Digest image, boolean queued) {
        jdbc.sql("UPDATE images SET state = CASE WHEN ? THEN 'REFACTORING' WHEN plan IS NULL THEN 'UNTRACED'"
                        + " ELSE 'PLANNED' END, error = NULL, retry = NULL WHERE digest = ?")
                .params(queued, image.toString())
                .update();
    }

    /** The reference of an image without tag and digest; empty when the image is not there. */
    public Optional<String> repository(Digest image) {
        return jdbc.sql("SELECT repository FROM images WHERE digest = ? AND repository IS NOT NULL")
                .param(image.toString())
                .query(String.class)
                .optional();
    }

    /**
     * The image whose trace an image without one inherits: the newest traced one that a function of the image was
     * registered with before, else the newest of its repository.
     */
    public Optional<ImageRow> tracedBefore(Digest image) {
        return jdbc.sql("SELECT i.* FROM images i JOIN traces t ON t.chain = i.top_chain"
                        + " JOIN (SELECT e.image AS digest, 0 AS distance FROM function_images e"
                        + " JOIN function_images f ON f.function = e.function WHERE f.image = ?"
                        + " UNION ALL SELECT r.digest, 1 FROM images r"
                        + " JOIN images o ON o.repository = r.repository WHERE o.digest = ?) near"
                        + " ON near.digest = i.digest WHERE i.digest <> ?"
                        + " ORDER BY near.distance, i.created DESC, i.digest FETCH FIRST ROW ONLY")
                .params(image.toString(), image.toString(), image.toString())
                .query(ImageTable::row)
                .optional();
    }

    /** Removes the image. */
    public void remove(Digest image) {
        jdbc.sql("DELETE FROM images WHERE digest = ?").param(image.toString()).update();
    }

    /** The image of a row of the table. */
    static ImageRow row(ResultSet row, int number) throws SQLException {
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
