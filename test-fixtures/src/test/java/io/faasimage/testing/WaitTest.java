package io.faasimage.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WaitTest {
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void asksUntilItIsSo() {
        Wait.until("the third question", () -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
        assertThat(Wait.value(asked::incrementAndGet, value -> value > 5)).isEqualTo(6);
    }

    @Test
    void failsWhenTheTimeIsOverAndWhenAQuestionFails() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Wait.until(Duration.ofMillis(10), "what never comes", () -> false))
                .withMessageContaining("what never comes");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Wait.value(Duration.ofMillis(10), () -> 7, value -> value > 7))
                .withMessageContaining("another value than 7");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Wait.until("an answer", () -> {
                    throw new IOException("refused");
                }))
                .withMessageContaining("refused");
    }
}
