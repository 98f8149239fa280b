package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectSinkTest {
    private static final PullConfig CONFIG = new PullConfig(
            1,
            8 << 10,
            4 << 10,
            1,
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            1,
            1,
            1,
            Duration.ofMillis(50),
            Duration.ZERO,
            0,
            1);

    @TempDir
    private Path root;

    @Test
    void tinyObjectsThatWaitAreBoundedInNumber() throws Exception {
        AtomicInteger submitted = new AtomicInteger();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch published = new CountDownLatch(20);
        try (ObjectStore store = ObjectStore.open(root, "node");
                ObjectSink sink = new ObjectSink(store, CONFIG)) {
            Thread submitter = Thread.ofVirtual().start(() -> submitAll(sink, submitted, busy, published));
            submitter.join(Duration.ofSeconds(1));
            assertThat(submitted).hasValue(8);
            busy.countDown();
            published.await();
            assertThat(submitted).hasValue(20);
        }
    }

    private static void submitAll(
            ObjectSink sink, AtomicInteger submitted, CountDownLatch busy, CountDownLatch published) {
        for (byte i = 0; i < 20; i++) {
            byte[] content = {i};
            PlanObject object = new PlanObject(Digest.of(content), 1, Segment.FUNC, -1);
            try {
                byte[] stored = Zstd.compress(content);
                byte[] frame = sink.buffer(stored.length);
                System.arraycopy(stored, 0, frame, 0, stored.length);
                sink.submit(object, frame, stored.length, _ -> {
                    await(busy);
                    published.countDown();
                });
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            submitted.incrementAndGet();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
