package io.faasimage.registry.images.profile;

import com.github.luben.zstd.Zstd;
import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.api.profile.ProfileInfo.ReadFile;
import io.faasimage.api.rest.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** The table of the files of libraries that starts read, by origin. Thread-safe. */
@Repository
class ProfileTable {
    /** Newest origins of a library that are merged. */
    private static final int MOST_ORIGINS = 64;

    private static final int MOST_ORIGIN_CHARS = 1000;
    private static final int MOST_NAME_CHARS = 300;
    private static final int LEVEL = 3;

    private final JdbcClient jdbc;
    private final Clock clock;

    ProfileTable(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * The profile of a library by one origin.
     *
     * @param updated when it was last seen
     */
    record Row(ProfileInfo profile, Instant updated) {}

    /** Replaces everything of an origin; needs a transaction. Libraries with very long names are left out. */
    void replace(String origin, List<ProfileInfo> profiles) {
        String key = storable(origin.substring(0, Math.min(origin.length(), MOST_ORIGIN_CHARS)));
        jdbc.sql("DELETE FROM library_reads WHERE origin = ?").param(key).update();
        int position = 0;
        for (ProfileInfo profile : profiles) {
            if (profile.name().length() <= MOST_NAME_CHARS && profile.version().length() <= MOST_NAME_CHARS) {
                add(key, position++, profile);
            }
        }
    }

    private void add(String origin, int position, ProfileInfo profile) {
        byte[] detail = Json.mapper().writeValueAsBytes(profile.files());
        jdbc.sql("INSERT INTO library_reads (origin, position, ecosystem, name, version, functions, used, updated,"
                        + " raw_size, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .params(
                        origin,
                        position,
                        storable(profile.ecosystem()),
                        storable(profile.name()),
                        storable(profile.version()),
                        profile.functions(),
                        profile.used(),
                        OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC),
                        detail.length,
                        Zstd.compress(detail, LEVEL))
                .update();
    }

    /** Images name libraries as they like, and PostgreSQL takes no NUL. */
    private static String storable(String text) {
        return text.replace("\0", "");
    }

    /** All versions of a library by all origins but one, the newest first. */
    List<Row> of(String ecosystem, String name, String exceptOrigin) {
        return jdbc.sql("SELECT * FROM library_reads WHERE ecosystem = ? AND name = ? AND origin <> ?"
                        + " ORDER BY updated DESC, origin, position FETCH FIRST " + MOST_ORIGINS + " ROWS ONLY")
                .params(storable(ecosystem), storable(name), exceptOrigin)
                .query(ProfileTable::row)
                .list();
    }

    /** The libraries that there are profiles of, as ecosystem and name; those with this name, or all. */
    List<List<String>> names(String name) {
        return jdbc.sql("SELECT DISTINCT ecosystem, name FROM library_reads WHERE ? = '' OR name = ?"
                        + " ORDER BY ecosystem, name")
                .params(storable(name), storable(name))
                .query((row, number) -> List.of(row.getString("ecosystem"), row.getString("name")))
                .list();
    }

    /** Removes the rows that were last seen before a time. */
    void removeBefore(Instant time) {
        jdbc.sql("DELETE FROM library_reads WHERE updated < ?")
                .param(OffsetDateTime.ofInstant(time, ZoneOffset.UTC))
                .update();
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        List<ReadFile> files = Json.mapper()
                .readValue(Zstd.decompress(row.getBytes("detail"), row.getInt("raw_size")), new TypeReference<>() {});
        return new Row(
                new ProfileInfo(
                        row.getString("ecosystem"),
                        row.getString("name"),
                        row.getString("version"),
                        row.getDouble("functions"),
                        row.getDouble("used"),
                        files),
                row.getObject("updated", OffsetDateTime.class).toInstant());
    }
}
