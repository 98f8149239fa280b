package io.faasimage.registry.functions.function;

import io.faasimage.api.function.CatalogueImage;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.image.ImageFunctions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The functions in the database. Thread-safe. */
@Repository
class FunctionTable implements ImageFunctions {
    private static final int MOST_CATALOGUE = 2000;
    private static final String SELECT = "SELECT f.*, i.state FROM functions f JOIN images i ON i.digest = f.image ";

    private final JdbcClient jdbc;

    FunctionTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds a function, which keeps the plan {@code pinned} if any; its image is there. */
    void add(FunctionInfo function, @Nullable String pinned) {
        @Nullable Readiness readiness = function.readiness();
        jdbc.sql("INSERT INTO functions (name, reference, image, runtime, readiness_port, readiness_path, start_mode,"
                        + " fill_mode, pinned_plan, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .param(function.name())
                .param(function.image())
                .param(function.digest())
                .param(function.runtime())
                .param(readiness == null ? null : readiness.port())
                .param(readiness == null ? null : readiness.path())
                .param(function.start() == null ? null : function.start().label())
                .param(function.fill() == null ? null : function.fill().label())
                .param(pinned)
                .param(OffsetDateTime.ofInstant(function.created(), ZoneOffset.UTC))
                .update();
        jdbc.sql("INSERT INTO function_images (function, image) VALUES (?, ?) ON CONFLICT DO NOTHING")
                .params(function.name(), function.digest())
                .update();
    }

    /** One function. */
    public Optional<FunctionInfo> find(String name) {
        return jdbc.sql(SELECT + "WHERE f.name = ?")
                .param(name)
                .query(FunctionTable::row)
                .optional();
    }

    /** All functions by name. */
    public List<FunctionInfo> all() {
        return jdbc.sql(SELECT + "ORDER BY f.name").query(FunctionTable::row).list();
    }

    /** The images of functions that have a plan, the last registered first; at most 2000. */
    List<CatalogueImage> catalogue() {
        // An image keeps its plan while another one is made, and stays in the catalogue.
        return jdbc.sql("SELECT f.reference, f.image, MAX(f.created) AS registered FROM functions f"
                        + " JOIN images i ON i.digest = f.image WHERE i.plan IS NOT NULL"
                        + " GROUP BY f.reference, f.image ORDER BY registered DESC, f.reference, f.image"
                        + " FETCH FIRST " + MOST_CATALOGUE + " ROWS ONLY")
                .query((row, number) -> new CatalogueImage(row.getString("reference"), row.getString("image")))
                .list();
    }

    /** The functions of an image, oldest first. */
    public List<FunctionInfo> of(Digest image) {
        return jdbc.sql(SELECT + "WHERE f.image = ? ORDER BY f.created, f.name")
                .param(image.toString())
                .query(FunctionTable::row)
                .list();
    }

    @Override
    public List<String> names(Digest image) {
        return of(image).stream().map(FunctionInfo::name).toList();
    }

    @Override
    public Optional<Readiness> readiness(Digest image) {
        return jdbc.sql("SELECT readiness_port, readiness_path FROM functions WHERE image = ? AND readiness_port > 0"
                        + " ORDER BY created, name FETCH FIRST ROW ONLY")
                .param(image.toString())
                .query((row, number) -> new Readiness(row.getInt("readiness_port"), row.getString("readiness_path")))
                .optional();
    }

    /** Names the plan that a function keeps; null for none. */
    void pin(String name, @Nullable Digest plan) {
        jdbc.sql("UPDATE functions SET pinned_plan = ? WHERE name = ?")
                .param(plan == null ? null : plan.toString())
                .param(name)
                .update();
    }

    /** Removes a function; false when there was none. */
    boolean remove(String name) {
        return jdbc.sql("DELETE FROM functions WHERE name = ?").param(name).update() > 0;
    }

    private static FunctionInfo row(ResultSet row, int number) throws SQLException {
        int port = row.getInt("readiness_port");
        return new FunctionInfo(
                row.getString("name"),
                row.getString("reference"),
                row.getString("image"),
                row.getString("runtime"),
                port == 0 ? null : new Readiness(port, row.getString("readiness_path")),
                Optional.ofNullable(row.getString("start_mode"))
                        .map(StartMode::parse)
                        .orElse(null),
                Optional.ofNullable(row.getString("fill_mode"))
                        .map(FillMode::parse)
                        .orElse(null),
                ImageState.valueOf(row.getString("state")),
                row.getString("pinned_plan"),
                row.getObject("created", OffsetDateTime.class).toInstant());
    }
}
