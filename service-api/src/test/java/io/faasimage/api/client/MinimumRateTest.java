package io.faasimage.api.client;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class MinimumRateTest {
    private final MinimumRate.Meter meter = MinimumRate.STANDARD.meter();

    private void read(int times, Duration took, int count) throws IOException {
        for (int i = 0; i < times; i++) {
            meter.count(took.toNanos(), count);
        }
    }

    @Test
    void aByteEverySecondIsTooLittle() {
        assertThatIOException()
                .isThrownBy(() -> read(20, Duration.ofSeconds(1), 1))
                .withMessageContaining("only 20 bytes came in 20000 ms");
    }

    @Test
    void aByteBeforeEachLimitOnSilenceIsTooLittle() {
        assertThatIOException().isThrownBy(() -> read(4, Duration.ofSeconds(9), 1));
    }

    @Test
    void aSharedSlowLinkIsEnough() {
        assertThatCode(() -> read(1000, Duration.ofSeconds(1), 55_000)).doesNotThrowAnyException();
    }

    @Test
    void aSuspendedMachineIsNotTheSourcesFault() {
        assertThatCode(() -> read(1, Duration.ofMinutes(10), 8192)).doesNotThrowAnyException();
    }

    @Test
    void eachWindowCountsForItself() {
        assertThatIOException().isThrownBy(() -> {
            read(20, Duration.ofSeconds(1), 1 << 20);
            read(20, Duration.ofSeconds(1), 1);
        });
    }
}
