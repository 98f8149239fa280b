package io.faasimage.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The bounds in size of answers that are kept in memory. */
final class BoundedBodyTest {
    private final BoundedBody bodies = new BoundedBody(Duration.ofMinutes(1), Duration.ofMinutes(1));

    @Test
    void anAnswerThatIsTooLongIsAnErrorAndNotCutOff() throws IOException {
        assertThat(bodies.whole(new ByteArrayInputStream(new byte[100]), 100)).hasSize(100);
        assertThatIOException()
                .isThrownBy(() -> bodies.whole(new ByteArrayInputStream(new byte[101]), 100))
                .withMessage("the answer is longer than the limit of 100 bytes");
    }

    @Test
    void whatIsKeptFollowsFromTheHeap() {
        assertThat(ServiceCalls.maxAnswerBytes(96L << 20)).isEqualTo(16 << 20);
        assertThat(ServiceCalls.maxAnswerBytes(288L << 20)).isEqualTo(36 << 20);
        assertThat(ServiceCalls.maxAnswerBytes(Long.MAX_VALUE)).isEqualTo(64 << 20);
    }
}
