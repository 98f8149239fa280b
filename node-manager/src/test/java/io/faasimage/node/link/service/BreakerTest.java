package io.faasimage.node.link.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private final AtomicLong now = new AtomicLong();
    private final Breaker breaker = new Breaker(Duration.ofSeconds(5), now::get);

    @Test
    void opensForAWhileWhenNobodyIsThere() {
        assertThat(breaker.refusal()).isEmpty();
        breaker.unreachable("nobody");
        assertThat(breaker.refusal()).contains("nobody");
        now.addAndGet(Duration.ofSeconds(5).toNanos() - 1);
        assertThat(breaker.refusal()).contains("nobody");
        now.addAndGet(1);
        assertThat(breaker.refusal()).isEmpty();
    }

    @Test
    void opensWithTheThirdFailureInARow() {
        breaker.failed("502");
        breaker.failed("502");
        assertThat(breaker.refusal()).isEmpty();
        breaker.succeeded();
        breaker.failed("502");
        breaker.failed("502");
        assertThat(breaker.refusal()).isEmpty();
        breaker.failed("503");
        assertThat(breaker.refusal()).contains("503");
    }

    @Test
    void closesWithTheNextSuccess() {
        breaker.unreachable("nobody");
        breaker.succeeded();
        assertThat(breaker.refusal()).isEmpty();
    }
}
