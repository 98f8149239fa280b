package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.plan.Library;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShippedProfilesTest {
    private final ShippedProfiles profiles = new ShippedProfiles();

    @ParameterizedTest
    @CsvSource({"python, 3.12", "node, any", "php, 8.4", "ruby, 3.3"})
    void everyRuntimeHasAProfileForAnyVersion(String name, String version) {
        Optional<Profile> profile = profiles.of(new Library("runtime", name, version));
        assertThat(profile).isPresent();
        assertThat(profile.get().functions()).isPositive();
        assertThat(profile.get().reads().files()).isNotEmpty();
    }

    @Test
    void aLibraryIsFoundByItsNearestVersion() {
        assertThat(profiles.of(new Library("node", "express", "5.0.0"))).isPresent();
        assertThat(profiles.of(new Library("python", "express", "5.0.0"))).isEmpty();
    }
}
