package io.faasimage.refactor.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.refactor.fault.RefactorException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests of when a registry is given up that sends too little. */
class PacedOutputTest {
    private static final int RATE = 4096;

    private final AtomicLong now = new AtomicLong();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void aByteNowAndThenIsTooLittle() throws Exception {
        PacedOutput out = new PacedOutput(written, "layer x", RATE, now::get);
        pass(Duration.ofSeconds(15));
        out.write(1);
        pass(Duration.ofSeconds(15));
        assertThatThrownBy(() -> out.write(1))
                .isInstanceOfSatisfying(
                        RefactorException.class,
                        e -> assertThat(e.isTransient() && !e.isWorthRepeating())
                                .isTrue())
                .hasMessageContaining("layer x arrived too slowly: 2 bytes in 30 s", "--faasimage.budget.rate");
    }

    @Test
    void slowlyButSteadilyIsEnoughAndOnlyTheRegistryIsWaitedFor() throws Exception {
        byte[] second = new byte[RATE];
        PacedOutput out = new PacedOutput(written, "layer x", RATE, now::get);
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofSeconds(1));
            out.write(second);
        }
        assertThat(written.size()).isEqualTo(100 * second.length);
        ByteArrayOutputStream slow = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] buffer, int offset, int length) {
                pass(Duration.ofMinutes(1));
            }
        };
        PacedOutput held = new PacedOutput(slow, "layer x", RATE, now::get);
        for (int i = 0; i < 10; i++) {
            held.write(new byte[1]);
        }
    }
}
