package io.faasimage.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.event.Events;
import io.faasimage.node.lazy.TestNode;
import io.faasimage.node.service.Breaker;
import io.faasimage.node.service.RequestBudget;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.service.SmallService;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeMetricsTest {
    @TempDir
    private Path root;

    /** A name that two parts had would be refused. */
    @Test
    void theMetricsOfAllPartsAreReadAtOnce() throws Exception {
        Events events = new Events(10, InstantSource.system());
        try (SmallService registry = new SmallService()) {
            ServiceLink link = registry.link(Duration.ofSeconds(5));
            try (TestNode node = TestNode.in(root, events).open(link)) {
                NodeMetrics metrics = new NodeMetrics(List.of(
                        new AgentMetrics("1", "native", node.plans(), events),
                        new StartMetrics(),
                        new PullMetrics(),
                        new DemandMetrics(node.pulls()),
                        new ServiceMetrics(
                                List.of(link),
                                new Breaker(Duration.ofSeconds(1), System::nanoTime),
                                new RequestBudget()),
                        new OutboxMetrics(Map.of(), events)));
                assertThat(metrics.scrape().stream()
                                .map(MetricSnapshot::getMetadata)
                                .map(metadata -> metadata.getPrometheusName()))
                        .doesNotHaveDuplicates()
                        .contains(
                                "faasimage_node_info",
                                "faasimage_node_starts",
                                "faasimage_node_pull_seconds",
                                "faasimage_node_registry_requests");
            }
        }
    }
}
