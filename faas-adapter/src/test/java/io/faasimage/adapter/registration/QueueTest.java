package io.faasimage.adapter.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The order of the queue, its capacity, and its pauses. */
class QueueTest {
    private static final FunctionKey A = new FunctionKey("a", "n");
    private static final FunctionKey B = new FunctionKey("b", "n");
    private final RegistrationQueue queue = new RegistrationQueue(2);

    private static RegistrationChange register(FunctionKey key, String image) {
        return new RegistrationChange.Register(new Deployment(key, image));
    }

    private RegistrationQueue.Entry take() throws InterruptedException {
        return Objects.requireNonNull(queue.take());
    }

    @Test
    void theLaterChangeForAFunctionCountsAndAFullQueueTakesNoMoreFunctions() throws InterruptedException {
        assertThat(queue.offer(register(A, "1"))).isTrue();
        assertThat(queue.offer(register(B, "1"))).isTrue();
        assertThat(queue.offer(register(new FunctionKey("c", "n"), "1"))).isFalse();
        assertThat(queue.offer(register(B, "2"))).isTrue();
        assertThat(take().change()).isEqualTo(register(A, "1"));
        assertThat(take().change()).isEqualTo(register(B, "2"));
    }

    @Test
    void aFunctionIsWorkedOnOnceAtATimeAndAFailedChangeGivesWayToANewerOne() throws InterruptedException {
        queue.offer(register(A, "1"));
        RegistrationQueue.Entry first = take();
        queue.offer(register(A, "2"));
        queue.offer(register(B, "1"));
        assertThat(take().change()).isEqualTo(register(B, "1"));
        queue.again(first, 0);
        RegistrationQueue.Entry next = take();
        assertThat(next.change()).isEqualTo(register(A, "2"));
        assertThat(next.failed()).isZero();
        queue.again(next, 0);
        assertThat(take().failed()).isEqualTo(1);
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        QueueConfig config = new QueueConfig(1, 1, 9, Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(config.pause(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.pause(3)).isEqualTo(Duration.ofSeconds(4));
        assertThat(config.pause(100)).isEqualTo(Duration.ofSeconds(5));
    }
}
