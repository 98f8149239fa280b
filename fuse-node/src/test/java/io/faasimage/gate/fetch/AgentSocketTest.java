package io.faasimage.gate.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.ControlHandler;
import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.object.FetchRequest;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentSocketTest {
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
    private static final Digest DIGEST = Digest.of(CONTENT);

    @TempDir
    private Path root;

    private Duration silence = Duration.ofSeconds(20);
    private final AtomicInteger ownFetches = new AtomicInteger();

    private FetchOutcome fetch(ControlHandler<FetchRequest, Empty, Empty> agent) throws IOException {
        Path socket = root.resolve("objects.sock");
        try (ControlServer _ = ControlServer.start(socket, new ControlHandlers().on(ObjectOperations.FETCH, agent))) {
            return fetch();
        }
    }

    private FetchOutcome fetch() throws IOException {
        FetchLimits limits = new FetchLimits(
                Duration.ofSeconds(20),
                silence,
                Duration.ofSeconds(60),
                1,
                Duration.ofMillis(1),
                Duration.ofMillis(1),
                2,
                8);
        ObjectSource own = (digest, onBytes) -> {
            ownFetches.incrementAndGet();
            return new ByteArrayInputStream(CONTENT);
        };
        try (ObjectStore store = ObjectStore.open(root.resolve("store"), "gate");
                ObjectFetcher fetcher =
                        new ObjectFetcher(store, new AgentSocket(root.resolve("objects.sock"), limits), own, limits)) {
            return fetcher.fetch(DIGEST);
        }
    }

    private Path late() {
        return root.resolve("store/late").resolve(DIGEST.objectPath());
    }

    @Test
    void whatTheAgentBringsIsLinkedForTheLookUp() throws IOException {
        assertThat(fetch((request, events) -> {
                    assertThat(request.object()).isEqualTo(DIGEST);
                    try (ObjectStore store = ObjectStore.open(root.resolve("store"), "node")) {
                        store.publish(DIGEST, ByteBuffer.wrap(CONTENT));
                    }
                    return new Empty();
                }))
                .isEqualTo(new FetchOutcome.Present());
        assertThat(late()).hasBinaryContent(CONTENT);
        assertThat(ownFetches).hasValue(0);
    }

    @Test
    void whatTheAgentCannotGetIsAFailureWithItsReason() throws IOException {
        FetchOutcome outcome = fetch((request, events) -> {
            throw new IOException("the registry does not have it (4 attempts)");
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        FetchOutcome.Failed.class,
                        failed -> assertThat(failed.reason())
                                .contains(DIGEST.toString(), "does not have it (4 attempts)"));
        assertThat(ownFetches).hasValue(0);
    }

    @Test
    void whatWasEvictedAfterTheAgentBroughtItIsFetched() throws IOException {
        assertThat(fetch((request, events) -> new Empty())).isEqualTo(new FetchOutcome.Present());
        assertThat(ownFetches).hasValue(1);
        assertThat(late()).hasBinaryContent(CONTENT);
    }

    @Test
    void withoutAnAgentTheGateFetches() throws IOException {
        assertThat(fetch()).isEqualTo(new FetchOutcome.Present());
        assertThat(ownFetches).hasValue(1);
        assertThat(late()).hasBinaryContent(CONTENT);
    }

    @Test
    void aSilentAgentIsGivenUp() throws Exception {
        silence = Duration.ofMillis(300);
        CountDownLatch end = new CountDownLatch(1);
        assertThat(fetch((request, events) -> {
                    await(end);
                    return new Empty();
                }))
                .isEqualTo(new FetchOutcome.Present());
        end.countDown();
        assertThat(ownFetches).hasValue(1);
    }

    @Test
    void anAgentThatGivesSignsOfLifeIsWaitedFor() throws Exception {
        silence = Duration.ofSeconds(2);
        FetchOutcome outcome = fetch((request, events) -> {
            // Twice the silence that is allowed, but never silent for so long.
            for (int i = 0; i < 8; i++) {
                events.accept(new Empty());
                await(new CountDownLatch(1), 500);
            }
            throw new IOException("and failed");
        });
        assertThat(outcome).isInstanceOf(FetchOutcome.Failed.class);
        assertThat(ownFetches).hasValue(0);
    }

    private static void await(CountDownLatch latch) {
        await(latch, 20_000);
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            boolean _ = latch.await(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
