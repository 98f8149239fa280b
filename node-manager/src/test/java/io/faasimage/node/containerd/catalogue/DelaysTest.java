package io.faasimage.node.containerd.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelaysTest {
    private Instant now = Instant.EPOCH;
    private final Delays delays = new Delays(() -> now, new Random(1));

    @Test
    void anImageThatFailsIsTriedAfterGrowingPausesOfAnHourAtMost() {
        assertThat(delays.failed("a", "404")).isTrue();
        assertThat(delays.isDue("a")).isFalse();
        assertThat(delays.isDue("b")).isTrue();
        now = now.plus(Duration.ofMinutes(2));
        assertThat(delays.isDue("a")).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(delays.failed("a", "404")).isFalse();
        }
        now = now.plus(Duration.ofMinutes(30));
        assertThat(delays.isDue("a")).isFalse();
        now = now.plus(Duration.ofMinutes(45));
        assertThat(delays.isDue("a")).isTrue();
        assertThat(delays.failed("a", "503")).isTrue();
    }

    @Test
    void onlyWhatIsWantedAndNotReadyIsShown() {
        delays.failed("a", "404");
        delays.put("b", CatalogueConfig.REMOVED, "removed");
        delays.put("c", CatalogueConfig.REMOVED, "removed");
        delays.keep(List.of("b", "c"));
        delays.clear("c");
        assertThat(delays.reasons()).containsExactly("b: removed");
    }
}
