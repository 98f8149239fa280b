package io.faasimage.gate.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObjectFetcherTest {
    private static final byte[] CONTENT = "content".getBytes(UTF_8);
    private static final Digest DIGEST = Digest.of(CONTENT);
    private static final FetchLimits LIMITS = new FetchLimits(Duration.ofSeconds(20), 3, Duration.ofMillis(1), 2, 4);

    @TempDir
    Path root;

    private final AtomicInteger opened = new AtomicInteger();
    private ObjectStore store;

    @BeforeEach
    void open() throws IOException {
        store = ObjectStore.open(root, "test");
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    @Test
    void fetchesAndPublishesUnderBothNames() throws IOException {
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> CONTENT)) {
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Held());
            assertThat(store.path(DIGEST)).hasBinaryContent(CONTENT);
            assertThat(root.resolve("late").resolve(DIGEST.objectPath())).hasBinaryContent(CONTENT);
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Held());
            assertThat(opened).hasValue(1);
            assertThat(fetcher.status()).isEqualTo(new FetchStatus(1, CONTENT.length, 0, 0, Optional.empty()));
        }
    }

    @Test
    void triesAgainAfterWhatMayPass() {
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> switch (attempt) {
            case 1 -> throw new IOException("connection reset");
            case 2 -> "damaged".getBytes(UTF_8);
            default -> CONTENT;
        })) {
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Held());
            assertThat(opened).hasValue(3);
        }
    }

    @Test
    void givesUpAfterTheLastAttemptAndSaysWhy() {
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> "damaged".getBytes(UTF_8))) {
            assertThat(fetcher.fetch(DIGEST))
                    .isInstanceOfSatisfying(
                            FetchOutcome.Failed.class,
                            failed -> assertThat(failed.reason())
                                    .contains(DIGEST.toString(), "has digest", "3 attempts"));
            assertThat(opened).hasValue(3);
            assertThat(store.has(DIGEST)).isFalse();
            assertThat(fetcher.status().failed()).isEqualTo(1);
            assertThat(fetcher.status().lastFailure()).isPresent();
        }
    }

    @Test
    void aDeadRegistryCostsFurtherObjectsOneAttemptUntilItIsBack() throws IOException {
        try (RegistryClient nobody = unreachable()) {
            boolean[] up = {false};
            ObjectSource source = digest -> {
                opened.incrementAndGet();
                return up[0] ? new ByteArrayInputStream(CONTENT) : new RegistrySource(nobody).open(digest);
            };
            try (ObjectFetcher fetcher = new ObjectFetcher(store, source, LIMITS)) {
                assertThat(fetcher.fetch(DIGEST)).isInstanceOf(FetchOutcome.Failed.class);
                assertThat(opened).hasValue(3);
                assertThat(fetcher.fetch(DIGEST)).isInstanceOf(FetchOutcome.Failed.class);
                assertThat(opened).hasValue(4);
                up[0] = true;
                assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Held());
                up[0] = false;
                assertThat(fetcher.fetch(Digest.of(new byte[1]))).isInstanceOf(FetchOutcome.Failed.class);
                assertThat(opened).as("all the attempts again").hasValue(8);
            }
        }
    }

    @Test
    void whatSomebodyElseBroughtDuringAFailureIsHeld() {
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> {
            store.publish(DIGEST, ByteBuffer.wrap(CONTENT));
            throw new IOException("connection reset");
        })) {
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Held());
            assertThat(root.resolve("late").resolve(DIGEST.objectPath())).exists();
            assertThat(fetcher.status().fetched()).isZero();
        }
    }

    @Test
    void waitsNoLongerThanTheTotalTime() {
        FetchLimits limits = new FetchLimits(Duration.ofMillis(200), 3, Duration.ofMillis(1), 2, 4);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (ObjectFetcher fetcher = fetcher(limits, attempt -> {
            try {
                new CountDownLatch(1).await();
                return CONTENT;
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        })) {
            long start = System.nanoTime();
            assertThat(fetcher.fetch(DIGEST))
                    .isInstanceOfSatisfying(
                            FetchOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains("no answer in 200 ms", "in attempt 1"));
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
            assertThat(await(interrupted)).as("the fetching thread is freed").isTrue();
        }
    }

    @Test
    void manyWaitForOneFetchAndNoneBeyondTheLimit() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService readers = Executors.newFixedThreadPool(4);
                ObjectFetcher fetcher = fetcher(LIMITS, attempt -> {
                    await(go);
                    return CONTENT;
                })) {
            List<Future<FetchOutcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < LIMITS.waiting(); i++) {
                outcomes.add(readers.submit(() -> fetcher.fetch(DIGEST)));
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (fetcher.status().waiting() < LIMITS.waiting() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(fetcher.fetch(Digest.of(new byte[1])))
                    .isInstanceOfSatisfying(
                            FetchOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains("4 look-ups wait already"));
            go.countDown();
            for (Future<FetchOutcome> outcome : outcomes) {
                assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(new FetchOutcome.Held());
            }
            assertThat(opened).hasValue(1);
        }
    }

    private ObjectFetcher fetcher(FetchLimits limits, Script script) {
        return new ObjectFetcher(store, digest -> open(script), limits);
    }

    private InputStream open(Script script) throws IOException {
        return new ByteArrayInputStream(script.answer(opened.incrementAndGet()));
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A client of a port where nobody listens. */
    private static RegistryClient unreachable() throws IOException {
        int port;
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        return new RegistryClient(RegistryConfig.of(URI.create("http://127.0.0.1:" + port), Optional.empty()));
    }

    /** What the source answers the n-th time. */
    @FunctionalInterface
    private interface Script {
        byte[] answer(int attempt) throws IOException;
    }
}
