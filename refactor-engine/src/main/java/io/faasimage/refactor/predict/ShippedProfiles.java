package io.faasimage.refactor.predict;

import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.format.plan.Library;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * The profiles that faasimage is shipped with, so that an empty installation predicts its first function, too. They are
 * made by {@code bench/first-start --profiles}, and read when they are needed first. Thread-safe.
 */
public final class ShippedProfiles implements Profiles {
    private static final String RESOURCE = "shipped.json.gz";

    private @Nullable Map<String, Map<String, ProfileInfo>> byName;

    /** The profile of a library, or of its nearest version. */
    @Override
    public Optional<Profile> of(Library library) {
        Map<String, ProfileInfo> versions = byName().getOrDefault(library.ecosystem() + " " + library.name(), Map.of());
        return NearestVersion.of(library.version(), versions.keySet())
                .map(versions::get)
                .map(Profile::of);
    }

    private synchronized Map<String, Map<String, ProfileInfo>> byName() {
        Map<String, Map<String, ProfileInfo>> known = byName;
        if (known == null) {
            known = read().stream()
                    .collect(Collectors.groupingBy(
                            profile -> profile.ecosystem() + " " + profile.name(),
                            HashMap::new,
                            Collectors.toMap(ProfileInfo::version, Function.identity(), (first, _) -> first)));
            byName = known;
        }
        return known;
    }

    private static List<ProfileInfo> read() {
        try (InputStream in = ShippedProfiles.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the profiles are missing from the jar");
            }
            return Json.mapper().readValue(new GZIPInputStream(in), new TypeReference<List<ProfileInfo>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException("the profiles in the jar cannot be read", e);
        }
    }
}
