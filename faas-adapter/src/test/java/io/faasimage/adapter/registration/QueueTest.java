package io.faasimage.adapter.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What waits, in which order, and what is dropped. */
class QueueTest {
    private static final FunctionKey A = new FunctionKey("a", "n");
    private static final FunctionKey B = new FunctionKey("b", "n");
    private final WishQueue queue = new WishQueue(2);

    private static Wish register(FunctionKey key, String image) {
        return new Wish.Register(new Deployment(key, image));
    }

    private WishQueue.Entry take() throws InterruptedException {
        return Objects.requireNonNull(queue.take());
    }

    @Test
    void theLaterWishForAFunctionCountsAndAFullQueueTakesNoMoreFunctions() throws InterruptedException {
        assertThat(queue.offer(register(A, "1"))).isTrue();
        assertThat(queue.offer(register(B, "1"))).isTrue();
        assertThat(queue.offer(register(new FunctionKey("c", "n"), "1"))).isFalse();
        assertThat(queue.offer(register(B, "2"))).isTrue();
        assertThat(take().wish()).isEqualTo(register(A, "1"));
        assertThat(take().wish()).isEqualTo(register(B, "2"));
    }

    @Test
    void aFunctionIsWorkedOnOnceAtATimeAndAFailedWishGivesWayToANewerOne() throws InterruptedException {
        queue.offer(register(A, "1"));
        WishQueue.Entry first = take();
        queue.offer(register(A, "2"));
        queue.offer(register(B, "1"));
        assertThat(take().wish()).isEqualTo(register(B, "1"));
        queue.again(first, 0);
        WishQueue.Entry next = take();
        assertThat(next.wish()).isEqualTo(register(A, "2"));
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
