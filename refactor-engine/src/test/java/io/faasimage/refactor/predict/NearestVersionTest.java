package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestVersionTest {
    @Test
    void theFirstNumbersCountMost() {
        assertThat(NearestVersion.of("1.26.4", List.of("1.26.4", "1.26.40"))).contains("1.26.4");
        assertThat(NearestVersion.of("1.26.4", List.of("2.0.0", "1.9.9", "1.25.0")))
                .contains("1.25.0");
        assertThat(NearestVersion.of("3.12", List.of("3.9", "3.13", "2.7"))).contains("3.13");
        assertThat(NearestVersion.of("1", List.of("any"))).contains("any");
        assertThat(NearestVersion.of("1.20260101000000", List.of("1.2"))).contains("1.2");
        assertThat(NearestVersion.of("1", List.of())).isEmpty();
    }
}
