package io.faasimage.gate.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.control.gate.FetchStatus;
import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
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
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObjectFetcherTest {
    private static final byte[] CONTENT = "content".getBytes(UTF_8);
    private static final Digest DIGEST = Digest.of(CONTENT);
    private static final Duration BACKOFF = Duration.ofMillis(1);
    private static final FetchLimits LIMITS = limits(Duration.ofSeconds(20), Duration.ofMinutes(1));

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
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Present());
            assertThat(store.path(DIGEST)).hasBinaryContent(CONTENT);
            assertThat(root.resolve("late").resolve(DIGEST.objectPath())).hasBinaryContent(CONTENT);
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Present());
            assertThat(opened).hasValue(1);
            assertThat(fetcher.status()).isEqualTo(new FetchStatus(1, CONTENT.length, 0, 0, 0, Optional.empty()));
        }
    }

    @Test
    void triesAgainAfterWhatMayPass() {
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> switch (attempt) {
            case 1 -> throw new IOException("connection reset");
            case 2 -> "damaged".getBytes(UTF_8);
            default -> CONTENT;
        })) {
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Present());
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
    void aDeadRegistryIsWaitedForUntilItIsBack() throws IOException {
        try (ServiceClient nobody = unreachable()) {
            ObjectSource dead = new ServiceSource(nobody);
            ObjectSource source = (digest, onBytes) ->
                    opened.incrementAndGet() > 20 ? new ByteArrayInputStream(CONTENT) : dead.open(digest, onBytes);
            try (ObjectFetcher fetcher = new ObjectFetcher(store, Agent.none(), source, LIMITS)) {
                assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Present());
            }
        }
    }

    @Test
    void aDeadRegistryIsWaitedForNoLongerThanTheLimit() throws IOException {
        FetchLimits limits = limits(Duration.ofMillis(300), Duration.ofMinutes(1));
        try (ServiceClient nobody = unreachable();
                ObjectFetcher fetcher = new ObjectFetcher(store, Agent.none(), new ServiceSource(nobody), limits)) {
            assertThat(fetcher.fetch(DIGEST)).isInstanceOf(FetchOutcome.Failed.class);
        }
    }

    @Test
    void whatSomebodyElseBroughtDuringAFailureIsHeld() {
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> {
            store.publish(DIGEST, ByteBuffer.wrap(CONTENT));
            throw new IOException("connection reset");
        })) {
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Present());
            assertThat(root.resolve("late").resolve(DIGEST.objectPath())).exists();
            assertThat(fetcher.status().fetched()).isZero();
        }
    }

    @Test
    void waitsNoLongerThanTheStallWhenNothingComes() {
        FetchLimits limits = limits(Duration.ofMillis(200), Duration.ofMinutes(1));
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
    void whatComesSlowlyButSteadilyArrives() throws IOException {
        try (ObjectFetcher fetcher = slowly(limits(Duration.ofMillis(1500), Duration.ofMinutes(1)))) {
            assertThat(fetcher.fetch(DIGEST)).isEqualTo(new FetchOutcome.Present());
            assertThat(fetcher.status().failed()).isZero();
        }
    }

    @Test
    void nothingIsWaitedForBeyondTheCap() {
        try (ObjectFetcher fetcher = slowly(limits(Duration.ofSeconds(1), Duration.ofMillis(500)))) {
            assertThat(fetcher.fetch(DIGEST))
                    .isInstanceOfSatisfying(
                            FetchOutcome.Failed.class,
                            failed ->
                                    assertThat(failed.reason()).contains("not complete after 500 ms", "in attempt 1"));
        }
    }

    @Test
    void whoWaitsForASlowFetchToEndKeepsWaiting() throws Exception {
        FetchLimits limits = new FetchLimits(
                Duration.ofMillis(1500), Duration.ofSeconds(1), Duration.ofMinutes(1), 3, BACKOFF, BACKOFF, 1, 4);
        byte[] other = "otherly".getBytes(UTF_8);
        try (ExecutorService readers = Executors.newFixedThreadPool(2);
                ObjectFetcher fetcher = new ObjectFetcher(
                        store,
                        Agent.none(),
                        (digest, onBytes) -> digest.equals(DIGEST)
                                ? new WatchedStream(new SlowStream(CONTENT), onBytes)
                                : new ByteArrayInputStream(other),
                        limits)) {
            Future<FetchOutcome> slow = readers.submit(() -> fetcher.fetch(DIGEST));
            Future<FetchOutcome> behind = readers.submit(() -> fetcher.fetch(Digest.of(other)));
            assertThat(slow.get(20, TimeUnit.SECONDS)).isEqualTo(new FetchOutcome.Present());
            assertThat(behind.get(20, TimeUnit.SECONDS)).isEqualTo(new FetchOutcome.Present());
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
            Wait.until("all readers to wait", () -> fetcher.status().waiting() >= LIMITS.waiting());
            assertThat(fetcher.fetch(Digest.of(new byte[1])))
                    .isInstanceOfSatisfying(
                            FetchOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains("4 look-ups wait already"));
            assertThat(fetcher.status().refused()).isEqualTo(1);
            go.countDown();
            for (Future<FetchOutcome> outcome : outcomes) {
                assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(new FetchOutcome.Present());
            }
            assertThat(opened).hasValue(1);
        }
    }

    @Test
    void whatIsRefusedIsLoggedAtIntervals() {
        List<String> logged = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(ObjectFetcher.class.getName());
        logger.addHandler(handler);
        try (ObjectFetcher fetcher = fetcher(LIMITS, attempt -> CONTENT)) {
            fetcher.close();
            assertThat(fetcher.fetch(DIGEST)).isInstanceOf(FetchOutcome.Failed.class);
            assertThat(fetcher.fetch(DIGEST)).isInstanceOf(FetchOutcome.Failed.class);
            assertThat(fetcher.status().refused()).isEqualTo(2);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).singleElement(InstanceOfAssertFactories.STRING).contains(DIGEST.toString(), "is stopping");
    }

    private static FetchLimits limits(Duration stall, Duration cap) {
        return new FetchLimits(stall, stall, cap, 3, BACKOFF, BACKOFF, 2, 4);
    }

    private ObjectFetcher slowly(FetchLimits limits) {
        return new ObjectFetcher(
                store, Agent.none(), (digest, onBytes) -> new WatchedStream(new SlowStream(CONTENT), onBytes), limits);
    }

    private ObjectFetcher fetcher(FetchLimits limits, Script script) {
        return new ObjectFetcher(store, Agent.none(), (digest, _) -> open(script), limits);
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

    /** A client of a port without a listener. */
    private static ServiceClient unreachable() throws IOException {
        int port;
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        return new ServiceClient(ServiceConfig.of(URI.create("http://127.0.0.1:" + port), Optional.empty()));
    }

    /** One byte each 300 ms: seven take two seconds. */
    private static final class SlowStream extends ByteArrayInputStream {
        SlowStream(byte[] content) {
            super(content);
        }

        @Override
        public synchronized int read(byte[] buffer, int offset, int length) {
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return -1;
            }
            return super.read(buffer, offset, Math.min(length, 1));
        }
    }

    /** The source's answer to the n-th request. */
    @FunctionalInterface
    private interface Script {
        byte[] answer(int attempt) throws IOException;
    }
}
