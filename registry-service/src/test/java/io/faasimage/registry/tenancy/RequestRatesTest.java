package io.faasimage.registry.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.tenant.TenantName;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestRatesTest {
    private static final TenantName ONE = new TenantName("one");

    private final long[] nanos = {5};
    private final RequestRates rates = new RequestRates(() -> nanos[0]);

    private long admitted(TenantName tenant) {
        return IntStream.range(0, 100).filter(_ -> rates.isAdmitted(tenant, 2)).count();
    }

    @Test
    void tenSecondsWorthComeAtOnceAndThenSoManyASecond() {
        assertThat(admitted(ONE)).isEqualTo(20);
        nanos[0] += Duration.ofMillis(1500).toNanos();
        assertThat(admitted(ONE)).isEqualTo(3);
        nanos[0] += Duration.ofHours(1).toNanos();
        assertThat(admitted(ONE)).isEqualTo(20);
        assertThat(admitted(new TenantName("another"))).isEqualTo(20);
    }
}
