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
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.Breaker;
import io.faasimage.node.link.service.RequestBudget;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.lazy.TestNode;
import io.faasimage.node.plans.plan.PlanSettings;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.testing.LoopbackServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ServiceTracesTest {
    @TempDir
    private Path root;

    private final LoopbackServer server = new LoopbackServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @Timeout(60)
    void aStartDoesNotWaitForAnAnswerThatStalls() throws Exception {
        server.on("/", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().flush();
            new CountDownLatch(1).await();
        });
        Events events = new Events(10, InstantSource.system());
        ServiceLink link = link();
        try (TestNode node = TestNode.in(root, events).open(link)) {
            ServiceTraces traces = traces(link, node, events, Duration.ofMillis(300));
            assertThat(traces.wanted("c", new ChainId(Digest.of(new byte[1])))).isEmpty();
            assertThat(events.recent().getLast().text()).contains("did not answer within 300 ms");
        }
    }

    @Test
    void theReadinessOfAnImageIsThatOfItsManifest() throws Exception {
        ChainId chain = new ChainId(Digest.of(new byte[1]));
        Digest manifest = Digest.of(new byte[2]);
        ChainInfo info = new ChainInfo(
                chain.toString(),
                List.of(),
                List.of(
                        new ChainImage(
                                Digest.of(new byte[3]).toString(), "other", true, false, false, new Readiness(1, "/")),
                        new ChainImage(manifest.toString(), "php", true, false, false, new Readiness(8080, "/ready"))));
        byte[] body = Json.mapper().writeValueAsBytes(info);
        server.on("/v1/chains/" + chain, exchange -> LoopbackServer.send(exchange, 200, body));
        Events events = new Events(10, InstantSource.system());
        ServiceLink link = link();
        try (TestNode node = TestNode.in(root, events).open(link)) {
            ServiceTraces traces = traces(link, node, events, Duration.ofSeconds(30));
            assertThat(traces.of(chain, manifest)).contains(new Readiness(8080, "/ready"));
            assertThat(traces.of(chain, Digest.of(new byte[4]))).isEmpty();
        }
    }

    private static ServiceTraces traces(ServiceLink link, TestNode node, Events events, Duration limit) {
        return new ServiceTraces(
                link, node.images(), new RangeTraces(link, _ -> Optional.empty(), _ -> false, events), events, limit);
    }

    @Test
    void aStartOnAPredictedPlanIsTracedIfTheServiceWantsIt() throws Exception {
        SamplePlan sample = new SamplePlan(7, 5, 5, 100);
        ChainId chain = sample.plan().topChain();
        ChainInfo info = new ChainInfo(
                chain.toString(),
                List.of(),
                List.of(new ChainImage(sample.plan().image().toString(), "new", true, true, false, null)));
        byte[] body = Json.mapper().writeValueAsBytes(info);
        server.on("/v1/chains/" + chain, exchange -> LoopbackServer.send(exchange, 200, body));
        Events events = new Events(10, InstantSource.system());
        ServiceLink link = link();
        try (TestNode node = TestNode.in(root, events).open(link)) {
            ServiceTraces traces = traces(link, node, events, Duration.ofSeconds(30));
            node.plans().save(PlanCodec.encode(sample.plan()), Optional.empty());
            assertThat(traces.wanted("c", chain)).isEmpty();
            node.plans().settings().save(sample.digest(), new PlanSettings(Optional.empty(), Optional.empty(), true));
            assertThat(traces.wanted("c", chain)).isPresent();
            // Also after a restart of the agent.
            PlanStore again = PlanStore.open(root, PlanTrust.EVERY_PLAN, events, InstantSource.system());
            assertThat(again.settings().of(sample.digest()).predicted()).isTrue();
        }
    }

    private ServiceLink link() {
        ServiceConfig config =
                new ServiceConfig(server.address(), Optional.empty(), Duration.ofSeconds(5), Duration.ofSeconds(30));
        return new ServiceLink(
                new ServiceClient(config), new Breaker(Duration.ofSeconds(30), System::nanoTime), new RequestBudget());
    }
}
