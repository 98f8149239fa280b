package io.faasimage.registry.images.feedback;

import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.Digest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The starts whose misses are not counted for their images yet. Thread-safe. */
@Repository
class UnlearntStarts {
    private static final int IMAGES = 100;
    private static final int STARTS = 100;

    private final JdbcClient jdbc;
    private final JdbcTemplate template;

    UnlearntStarts(JdbcClient jdbc, JdbcTemplate template) {
        this.jdbc = jdbc;
        this.template = template;
    }

    /** A start, and the objects that it missed. */
    record Start(String id, Set<Digest> misses) {}

    /** Adds starts, each of which names its image. */
    void add(List<StartRecord> starts) {
        template.batchUpdate(
                "INSERT INTO unlearnt_starts (image, id) VALUES (?, ?)", starts, STARTS, (statement, start) -> {
                    statement.setString(1, start.image());
                    statement.setString(2, start.id());
                });
    }

    /** Some of the images with starts, after one in their order; the empty text comes before the first. */
    List<String> imagesAfter(String image) {
        return jdbc.sql("SELECT DISTINCT image FROM unlearnt_starts WHERE image > ? ORDER BY image FETCH FIRST "
                        + IMAGES + " ROWS ONLY")
                .param(image)
                .query(String.class)
                .list();
    }

    /** Some of the starts of an image; one whose record was forgotten meanwhile missed nothing. */
    List<Start> of(Digest image) {
        return jdbc.sql("SELECT unlearnt.id, detail FROM unlearnt_starts unlearnt"
                        + " LEFT JOIN start_records ON start_records.id = unlearnt.id"
                        + " WHERE unlearnt.image = ? ORDER BY unlearnt.id FETCH FIRST " + STARTS + " ROWS ONLY")
                .param(image.toString())
                .query((row, _) -> new Start(row.getString("id"), misses(row.getBytes("detail"))))
                .list();
    }

    private static Set<Digest> misses(byte @Nullable [] detail) {
        Set<Digest> misses = new HashSet<>();
        if (detail != null) {
            Json.mapper().readValue(detail, StartRecord.class).misses().forEach(miss -> misses.add(Digest.parse(miss)));
        }
        return misses;
    }

    /** Those of the starts that are still there. */
    List<Start> still(Digest image, List<Start> starts) {
        if (starts.isEmpty()) {
            return List.of();
        }
        Set<String> there = Set.copyOf(jdbc.sql("SELECT id FROM unlearnt_starts WHERE image = :image AND id IN (:ids)")
                .param("image", image.toString())
                .param("ids", ids(starts))
                .query(String.class)
                .list());
        return starts.stream().filter(start -> there.contains(start.id())).toList();
    }

    /** Removes starts; false when there are none. */
    boolean remove(Digest image, List<Start> starts) {
        return !starts.isEmpty()
                && jdbc.sql("DELETE FROM unlearnt_starts WHERE image = :image AND id IN (:ids)")
                                .param("image", image.toString())
                                .param("ids", ids(starts))
                                .update()
                        > 0;
    }

    /** Removes all starts of an image; false when there are none. */
    boolean removeAll(Digest image) {
        return jdbc.sql("DELETE FROM unlearnt_starts WHERE image = ?")
                        .param(image.toString())
                        .update()
                > 0;
    }

    private static List<String> ids(List<Start> starts) {
        return starts.stream().map(Start::id).toList();
    }

    long count() {
        return jdbc.sql("SELECT COUNT(*) FROM unlearnt_starts")
                .query(Long.class)
                .single();
    }
}
