package io.faasimage.registry.store.plan;

import com.github.luben.zstd.Zstd;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The predictions that plans are made from, in the database. Thread-safe. */
@Repository
public class PredictionTable {
    private static final int LEVEL = 3;

    private final JdbcClient jdbc;
    private final Clock clock;

    PredictionTable(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * Adds a prediction unless it is there, before the plan that is made from it; needs a transaction.
     *
     * @param digest name of the prediction
     * @param image that it is of
     */
    public void add(Digest digest, Digest image, PredictionInfo prediction) {
        byte[] detail = Json.mapper().writeValueAsBytes(prediction);
        jdbc.sql("DELETE FROM predictions WHERE digest = ?")
                .param(digest.toString())
                .update();
        jdbc.sql("INSERT INTO predictions (digest, image, created, raw_size, detail) VALUES (?, ?, ?, ?, ?)")
                .params(
                        digest.toString(),
                        image.toString(),
                        OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC),
                        detail.length,
                        Zstd.compress(detail, LEVEL))
                .update();
    }

    /** The source of a plan's prediction; empty when it was made from a trace. */
    public Optional<PredictionInfo> of(Digest plan) {
        return jdbc.sql("SELECT r.raw_size, r.detail FROM plans p JOIN predictions r ON r.digest = p.prediction"
                        + " WHERE p.digest = ?")
                .param(plan.toString())
                .query((row, number) -> Json.mapper()
                        .readValue(
                                Zstd.decompress(row.getBytes("detail"), row.getInt("raw_size")), PredictionInfo.class))
                .optional();
    }
}
