package io.faasimage.registry.images.profile;

import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.format.plan.Library;
import io.faasimage.refactor.predict.LibraryReads;
import io.faasimage.refactor.predict.NearestVersion;
import io.faasimage.refactor.predict.Profile;
import io.faasimage.refactor.predict.Profiles;
import io.faasimage.refactor.predict.ShippedProfiles;
import io.faasimage.registry.images.profile.ProfileTable.Row;
import io.faasimage.registry.platform.config.RegistrySettings;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The profiles of libraries and runtimes. Each repository's images count as one function, with the newest trace; an
 * imported profile counts as many functions as it states. Thread-safe.
 */
@Component
public class ProfileStore {
    private static final Duration KEPT = Duration.ofDays(400);
    private static final String IMPORTED = "(imported)";

    private final ProfileTable table;
    private final Profiles shipped;
    private final Clock clock;

    ProfileStore(ProfileTable table, ShippedProfiles shipped, RegistrySettings settings, Clock clock) {
        this.table = table;
        this.shipped = settings.shippedProfiles() ? shipped : _ -> Optional.empty();
        this.clock = clock;
    }

    /** Replaces the reads of the starts of a repository's images; needs a transaction. */
    public void put(String repository, List<LibraryReads> reads) {
        table.replace(
                repository, reads.stream().map(ProfileStore::ofOneFunction).toList());
        table.removeBefore(clock.instant().minus(KEPT));
    }

    private static ProfileInfo ofOneFunction(LibraryReads reads) {
        return new ProfileInfo(
                reads.library().ecosystem(),
                reads.library().name(),
                reads.library().version(),
                1,
                reads.files().isEmpty() ? 0 : 1,
                reads.files().stream()
                        .map(file -> new ProfileInfo.ReadFile(file.name(), file.share(), file.rank()))
                        .toList());
    }

    /** Replaces the profiles that were imported before; needs a transaction. */
    void replaceImported(List<ProfileInfo> profiles) {
        table.replace(IMPORTED, profiles);
    }

    /** The profiles of all versions of libraries with a name, or of all libraries. */
    List<ProfileInfo> all(String name) {
        List<ProfileInfo> all = new ArrayList<>();
        for (List<String> library : table.names(name)) {
            byVersion(table.of(library.getFirst(), library.getLast(), "")).values().stream()
                    .map(rows -> MergedProfile.of(rows, clock.instant()))
                    .forEach(all::add);
        }
        return all;
    }

    private static Map<String, List<Row>> byVersion(List<Row> rows) {
        Map<String, List<Row>> byVersion = new LinkedHashMap<>();
        rows.forEach(row -> byVersion
                .computeIfAbsent(row.profile().version(), _ -> new ArrayList<>())
                .add(row));
        return byVersion;
    }

    /**
     * The profile of a library for images of a repository, whose own starts do not count; of the nearest version if
     * there is none of this one, and of those that faasimage is shipped with if no function has used the library yet.
     */
    public Optional<Profile> of(Library library, String repository) {
        Map<String, List<Row>> byVersion = byVersion(table.of(library.ecosystem(), library.name(), repository));
        Optional<ProfileInfo> own = NearestVersion.of(library.version(), byVersion.keySet())
                .map(version -> MergedProfile.of(byVersion.getOrDefault(version, List.of()), clock.instant()));
        Optional<Profile> known = own.filter(info -> info.functions() > 0).map(Profile::of);
        return known.filter(profile -> profile.used() > 0)
                .or(() -> shipped.of(library))
                .or(() -> known);
    }
}
