package io.faasimage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.api.image.ChainInfo.ChainImage;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.Breaker;
import io.faasimage.node.link.service.RequestBudget;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.starts.trace.TraceRequest;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Wait;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RangeTracesTest {
    private static final ChainId CHAIN = new ChainId(Digest.of(new byte[1]));

    private final AtomicBoolean wanted = new AtomicBoolean(true);
    private final AtomicInteger asked = new AtomicInteger();
    private final Events events = new Events(10, InstantSource.system());
    private final LoopbackServer server = new LoopbackServer().on("/v1/chains/" + CHAIN, exchange -> {
        ChainImage image = new ChainImage(
                Digest.of(new byte[3]).toString(), "a", true, false, wanted.get(), new Readiness(80, "/"));
        byte[] body = Json.mapper().writeValueAsBytes(new ChainInfo(CHAIN.toString(), List.of(), List.of(image)));
        LoopbackServer.send(exchange, 200, body);
        asked.incrementAndGet();
    });

    @AfterEach
    void stop() {
        server.close();
    }

    private RangeTraces traces(RangeTraces.LargeFiles large) {
        ServiceConfig config =
                new ServiceConfig(server.address(), Optional.empty(), Duration.ofSeconds(5), Duration.ofSeconds(30));
        ServiceLink link = new ServiceLink(
                new ServiceClient(config), new Breaker(Duration.ofSeconds(30), System::nanoTime), new RequestBudget());
        return new RangeTraces(link, _ -> Optional.of(CHAIN), large, events);
    }

    private static void planArrives(RangeTraces traces) {
        traces.accept(new StartEvent.PlanArrived(Digest.of(new byte[2]), 0, 0, 0, 0));
    }

    @Test
    @Timeout(60)
    void theFirstStartAfterAPlanArrivedIsTraced() {
        try (RangeTraces traces = traces(_ -> true)) {
            assertThat(traces.next(CHAIN)).isEmpty();
            planArrives(traces);
            Optional<TraceRequest> request = Wait.value(() -> traces.next(CHAIN), Optional::isPresent);
            assertThat(request.get().readiness()).contains(new Readiness(80, "/"));
            assertThat(traces.next(CHAIN)).isEmpty();
            wanted.set(false);
            planArrives(traces);
            Wait.until("a second question", () -> asked.get() == 2);
        }
    }

    @Test
    @Timeout(60)
    void noOtherTraceOfAnImageWithoutLargeFilesIsWanted() {
        CountDownLatch looked = new CountDownLatch(1);
        RangeTraces.LargeFiles none = _ -> {
            looked.countDown();
            return false;
        };
        try (RangeTraces traces = traces(none)) {
            planArrives(traces);
            Wait.until("a look at its files", () -> looked.getCount() == 0);
            for (int i = 0; i < 100; i++) {
                assertThat(traces.next(CHAIN)).isEmpty();
            }
        }
    }
}
