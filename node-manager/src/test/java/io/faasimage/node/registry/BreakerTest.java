package io.faasimage.node.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private final AtomicLong now = new AtomicLong();
    private final Breaker breaker = new Breaker(Duration.ofSeconds(5), now::get);

    @Test
    void refusesForAWhileAfterAFailure() {
        assertThat(breaker.refusal()).isEmpty();
        breaker.failed("down");
        assertThat(breaker.refusal()).contains("down");
        now.addAndGet(Duration.ofSeconds(5).toNanos() - 1);
        assertThat(breaker.refusal()).contains("down");
        now.addAndGet(1);
        assertThat(breaker.refusal()).isEmpty();
    }

    @Test
    void closesWithTheNextSuccess() {
        breaker.failed("down");
        breaker.succeeded();
        assertThat(breaker.refusal()).isEmpty();
    }
}
