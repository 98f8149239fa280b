package io.faasimage.node.starts.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.outbox.Outbox;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceOutboxTest {
    @TempDir
    Path directory;

    private final Events events = new Events(100, InstantSource.system());
    private final BlockingQueue<Trace> delivered = new LinkedBlockingQueue<>();
    private Outbox.Config config;

    @BeforeEach
    void configure() {
        config = new Outbox.Config("trace", directory, 3, Duration.ofMillis(1), Duration.ofMillis(10));
    }

    private static Trace trace(String name) {
        ChainId chain = ChainId.ofBase(Digest.of(name.getBytes(StandardCharsets.UTF_8)));
        return new Trace(chain, 1, List.of(TraceEntry.whole(FilePath.ofText(name), 1, 0, 0)));
    }

    private TraceDelivery.Outcome accept(Trace trace) {
        delivered.add(trace);
        return TraceDelivery.Outcome.ACCEPTED;
    }

    private static void awaitEmpty(TraceOutbox outbox) throws IOException, InterruptedException {
        Wait.until(
                Duration.ofMinutes(1), "the deliveries", () -> outbox.pending().isEmpty());
    }

    @Test
    void aTraceIsDeliveredAfterFailures() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        TraceDelivery failing = trace -> {
            if (tries.incrementAndGet() < 4) {
                throw new IOException("the registry is down");
            }
            return accept(trace);
        };
        try (TraceOutbox outbox = new TraceOutbox(config, failing, events)) {
            outbox.traced("key", trace("a"));
            assertThat(delivered.poll(20, TimeUnit.SECONDS)).isEqualTo(trace("a"));
            awaitEmpty(outbox);
        }
        assertThat(tries).hasValue(4);
        assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("the registry is down"));
    }

    @Test
    void newTracesDoNotShortenThePauseAfterAFailure() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        TraceDelivery down = trace -> {
            tries.incrementAndGet();
            tried.countDown();
            throw new IOException("the registry is down");
        };
        Duration pause = Duration.ofMinutes(1);
        config = new Outbox.Config("trace", directory, 10, pause, pause);
        try (TraceOutbox outbox = new TraceOutbox(config, down, events)) {
            outbox.traced("key", trace("a"));
            assertThat(tried.await(20, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 5; i++) {
                outbox.traced("key", trace("trace" + i));
                Thread.sleep(50);
            }
        }
        assertThat(tries).hasValue(1);
    }

    @Test
    void whatWasNotDeliveredIsDeliveredByTheNextProcess() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        TraceDelivery down = trace -> {
            tried.countDown();
            throw new IOException("the registry is down");
        };
        try (TraceOutbox outbox = new TraceOutbox(config, down, events)) {
            outbox.traced("key", trace("a"));
            assertThat(tried.await(20, TimeUnit.SECONDS)).isTrue();
        }
        Files.writeString(directory.resolve(".tmp-half"), "cut off");
        try (TraceOutbox outbox = new TraceOutbox(config, this::accept, events)) {
            assertThat(delivered.poll(20, TimeUnit.SECONDS)).isEqualTo(trace("a"));
            awaitEmpty(outbox);
        }
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aRefusedTraceIsDroppedWithAReason() throws Exception {
        try (TraceOutbox outbox = new TraceOutbox(config, trace -> TraceDelivery.Outcome.REFUSED, events)) {
            outbox.traced("key", trace("a"));
            awaitEmpty(outbox);
        }
        assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("rejected"));
    }

    @Test
    void aDamagedFileIsDroppedAndTheRestDelivered() throws Exception {
        Files.writeString(directory.resolve("0-damaged.trace"), "no trace at all");
        try (TraceOutbox outbox = new TraceOutbox(config, this::accept, events)) {
            outbox.traced("key", trace("a"));
            assertThat(delivered.poll(20, TimeUnit.SECONDS)).isEqualTo(trace("a"));
            awaitEmpty(outbox);
        }
        assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("is unreadable and is dropped"));
    }

    @Test
    void theOldestGivesWay() throws Exception {
        TraceDelivery down = trace -> {
            throw new IOException("the registry is down");
        };
        try (TraceOutbox outbox = new TraceOutbox(config, down, events)) {
            for (int i = 0; i < 5; i++) {
                outbox.traced("key", trace("trace" + i));
            }
            assertThat(outbox.pending()).hasSize(3);
        }
        assertThat(events.recent()).extracting(Event::text).anyMatch(t -> t.contains("dropped the oldest"));
    }
}
