package io.faasimage.node.starts.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.Readiness;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Wait;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In this process' own network namespace. */
class ReadinessProbeTest {
    private static final int OWN_PID = Math.toIntExact(ProcessHandle.current().pid());

    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch third = new CountDownLatch(3);
    private final LoopbackServer server = new LoopbackServer().on("/ready", exchange -> {
        exchange.sendResponseHeaders(requests.incrementAndGet() < 3 ? 503 : 204, -1);
        third.countDown();
    });

    @AfterEach
    void stopServer() {
        server.close();
    }

    private ReadinessProbe probe(String path, OptionalInt process) {
        return new ReadinessProbe(new Readiness(server.port(), path), () -> process);
    }

    @Test
    void readyWhenAnsweredWithTwoHundredSomething() {
        try (ReadinessProbe probe = probe("/ready", OptionalInt.of(OWN_PID))) {
            probe.start();
            Wait.until("an answer", () -> probe.readySince().isPresent());
            assertThat(requests).hasValue(3);
        }
    }

    @Test
    void notReadyWhileItSaysNotFound() throws InterruptedException {
        server.on("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            third.countDown();
        });
        try (ReadinessProbe probe = probe("/other", OptionalInt.of(OWN_PID))) {
            probe.start();
            assertThat(third.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(probe.readySince()).isEmpty();
        }
    }
}
