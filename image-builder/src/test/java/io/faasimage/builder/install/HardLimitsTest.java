package io.faasimage.builder.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class HardLimitsTest {
    private static final HardLimits LIMITS = new HardLimits(List.of(
            "Limit                     Soft Limit           Hard Limit           Units     ",
            "Max file size             unlimited            unlimited            bytes     ",
            "Max core file size        0                    unlimited            bytes     ",
            "Max open files            1024                 4096                 files     "));

    @Test
    void theProcessesOwnIsTheHighest() {
        assertThat(LIMITS.atMost("Max open files", 8192)).isEqualTo(4096);
        assertThat(LIMITS.atMost("Max open files", 100)).isEqualTo(100);
        assertThat(LIMITS.atMost("Max file size", 8L << 30)).isEqualTo(8L << 30);
        assertThat(LIMITS.atMost("Max core file size", 0)).isZero();
    }

    @Test
    void thisProcessHasLimitsForFiles() {
        assertThat(HardLimits.ofThisProcess().atMost("Max open files", Long.MAX_VALUE))
                .isBetween(64L, Long.MAX_VALUE - 1);
    }
}
