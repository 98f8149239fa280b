package io.faasimage.adapter;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

/** A round of a schedule. */
class HousekeepingTest {
    @Test
    void anErrorEndsTheRoundAndNotTheSchedule() {
        assertThatCode(() -> Housekeeping.round(() -> {
                    throw new StackOverflowError("a round of the test fails");
                }))
                .doesNotThrowAnyException();
    }
}
