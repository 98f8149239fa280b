package io.faasimage.registry.start;

import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartProfileInfo;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The profiles of starts in the database: the newest of each image and snapshotter. Thread-safe. */
@Repository
class StartProfiles {
    private final JdbcClient jdbc;
    private final Clock clock;

    StartProfiles(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Keeps a profile, in the place of an earlier one. */
    void put(StartProfileInfo profile) {
        Instant now = clock.instant();
        // Whichever of two at once comes last stays.
        if (!update(profile, now) && !insert(profile, now)) {
            update(profile, now);
        }
    }

    private boolean update(StartProfileInfo profile, Instant now) {
        return params(
                        jdbc.sql(
                                "UPDATE start_profiles SET taken = ?, detail = ? WHERE reference = ? AND snapshotter = ?"),
                        profile,
                        now)
                > 0;
    }

    private boolean insert(StartProfileInfo profile, Instant now) {
        return params(
                        jdbc.sql(
                                "INSERT INTO start_profiles (taken, detail, reference, snapshotter) VALUES (?, ?, ?, ?)"
                                        + " ON CONFLICT DO NOTHING"),
                        profile,
                        now)
                > 0;
    }

    private static int params(JdbcClient.StatementSpec statement, StartProfileInfo profile, Instant now) {
        return statement
                .param(now.atOffset(ZoneOffset.UTC))
                .param(Json.mapper().writeValueAsBytes(profile.takenAt(now)))
                .param(profile.image())
                .param(profile.snapshotter())
                .update();
    }

    /** The profiles of the image that containerd knows as {@code reference}, by snapshotter. */
    List<StartProfileInfo> of(String reference) {
        return jdbc.sql("SELECT detail FROM start_profiles WHERE reference = ? ORDER BY snapshotter")
                .param(reference)
                .query((row, number) -> Json.mapper().readValue(row.getBytes(1), StartProfileInfo.class))
                .list();
    }

    /** Forgets those that were taken before {@code oldest}. */
    void forget(Instant oldest) {
        jdbc.sql("DELETE FROM start_profiles WHERE taken < ?")
                .param(oldest.atOffset(ZoneOffset.UTC))
                .update();
    }
}
