package io.faasimage.registry.images.image;

import io.faasimage.api.image.ImageInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.plan.PlanFigures;
import io.faasimage.registry.store.plan.PlanTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A reader of images as clients see them. The values that change with an image's state are read in one statement, so
 * that they are of one moment: a client that waits for a state never sees it beside a trace or a plan of another one.
 * Thread-safe.
 */
@Component
class ImageViews {
    private static final String COLUMNS = "SELECT i.*, p.version, p.prediction, t.runs, t.files FROM images i"
            + " LEFT JOIN plans p ON p.digest = i.plan LEFT JOIN traces t ON t.chain = i.top_chain ";

    private final JdbcClient jdbc;
    private final ImageTable images;
    private final ImageFunctions functions;
    private final PlanTable plans;

    ImageViews(JdbcClient jdbc, ImageTable images, ImageFunctions functions, PlanTable plans) {
        this.jdbc = jdbc;
        this.images = images;
        this.functions = functions;
        this.plans = plans;
    }

    /** All images, newest first. */
    List<ImageInfo> all() {
        return jdbc.sql(COLUMNS + "ORDER BY i.created DESC, i.digest").query(ImageViews::row).list().stream()
                .map(this::info)
                .toList();
    }

    /** One image. */
    Optional<ImageInfo> find(Digest digest) {
        return jdbc.sql(COLUMNS + "WHERE i.digest = ?")
                .param(digest.toString())
                .query(ImageViews::row)
                .optional()
                .map(this::info);
    }

    /**
     * The values of one moment.
     *
     * @param version of its current plan, 0 without one
     * @param predicted whether that is not made from a trace
     * @param runs starts in its trace, 0 without one
     * @param files that they read
     */
    private record Row(ImageRow image, int version, boolean predicted, int runs, int files) {}

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                ImageTable.row(row, number),
                row.getInt("version"),
                row.getString("prediction") != null,
                row.getInt("runs"),
                row.getInt("files"));
    }

    private ImageInfo info(Row row) {
        ImageRow image = row.image();
        PlanFigures figures = image.plan().map(plans::figures).orElse(new PlanFigures(List.of(), List.of()));
        return new ImageInfo(
                image.digest().toString(),
                image.name(),
                image.state(),
                image.compressedSize(),
                images.chains(image.digest()).stream().map(ChainId::toString).toList(),
                functions.names(image.digest()),
                image.plan().map(Digest::toString).orElse(null),
                row.version(),
                row.predicted(),
                row.runs(),
                row.files(),
                figures.segments(),
                figures.libraries(),
                image.error().orElse(null),
                image.created());
    }
}
