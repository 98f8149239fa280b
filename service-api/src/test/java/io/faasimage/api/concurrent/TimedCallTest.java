package io.faasimage.api.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimedCallTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void aResultAndAFailureAreThoseOfTheWork() throws IOException {
        assertThat(TimedCall.run("test", LONG, () -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> TimedCall.run("test", LONG, () -> {
                    throw new FileNotFoundException("gone");
                }))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("gone");
        assertThatThrownBy(() -> TimedCall.run("test", LONG, () -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void workThatTakesTooLongIsInterrupted() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        assertThatThrownBy(() -> TimedCall.run("test", Duration.ofMillis(20), () -> {
                    try {
                        return never.await(LONG.toSeconds(), TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .isInstanceOf(TimedCall.Late.class)
                .hasMessage("no answer within 20 ms");
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anInterruptedCallerStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> TimedCall.run("test", LONG, () -> never.await(LONG.toSeconds(), TimeUnit.SECONDS)))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
