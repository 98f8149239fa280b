package io.faasimage.registry.feedback;

import io.faasimage.api.Json;
import io.faasimage.api.StartReport;
import io.faasimage.format.id.Digest;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reports of starts that are not counted for their images yet. Thread-safe. */
@Repository
class ReportTable {
    private static final int IMAGES = 100;
    private static final int REPORTS = 100;

    private final JdbcClient jdbc;
    private final Clock clock;

    ReportTable(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** A report with its row's number and the time when it came. */
    record Row(long id, Instant received, StartReport report) {}

    void add(Digest image, StartReport report) {
        jdbc.sql("INSERT INTO reported_starts (image, received, report) VALUES (?, ?, ?)")
                .params(
                        image.toString(),
                        OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC),
                        Json.mapper().writeValueAsBytes(report))
                .update();
    }

    /** Some of the images with reports, after one in their order; the empty text comes before the first. */
    List<String> imagesAfter(String image) {
        return jdbc.sql("SELECT DISTINCT image FROM reported_starts WHERE image > ? ORDER BY image FETCH FIRST "
                        + IMAGES + " ROWS ONLY")
                .param(image)
                .query(String.class)
                .list();
    }

    /** The oldest reports of an image, some of them. */
    List<Row> of(Digest image) {
        return jdbc.sql(
                        "SELECT id, received, report FROM reported_starts WHERE image = ? ORDER BY image, id FETCH FIRST "
                                + REPORTS + " ROWS ONLY")
                .param(image.toString())
                .query((row, number) -> new Row(
                        row.getLong("id"),
                        row.getObject("received", OffsetDateTime.class).toInstant(),
                        Json.mapper().readValue(row.getBytes("report"), StartReport.class)))
                .list();
    }

    /** Those of the rows that are still there. */
    List<Row> still(List<Row> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        Set<Long> there = Set.copyOf(jdbc.sql("SELECT id FROM reported_starts WHERE id IN (:ids)")
                .param("ids", ids(rows))
                .query(Long.class)
                .list());
        return rows.stream().filter(row -> there.contains(row.id())).toList();
    }

    /** Removes rows; false when there are none. */
    boolean remove(List<Row> rows) {
        return !rows.isEmpty()
                && jdbc.sql("DELETE FROM reported_starts WHERE id IN (:ids)")
                                .param("ids", ids(rows))
                                .update()
                        > 0;
    }

    /** Removes all reports of an image; false when there are none. */
    boolean removeAll(Digest image) {
        return jdbc.sql("DELETE FROM reported_starts WHERE image = ?")
                        .param(image.toString())
                        .update()
                > 0;
    }

    private static List<Long> ids(List<Row> rows) {
        return rows.stream().map(Row::id).toList();
    }

    long count() {
        return jdbc.sql("SELECT COUNT(*) FROM reported_starts")
                .query(Long.class)
                .single();
    }
}
