package io.faasimage.node.starts.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.node.NodeReport;
import io.faasimage.testing.Wait;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeartbeatTest extends AbstractRecordsTest {
    @Test
    void aNodeTellsOfItselfAndOfEachEventOnce() throws Exception {
        events.info("test", "before");
        NodeReports reports = new NodeReports(
                new NodeDescription("node-1", "1", "native", Optional.empty()),
                store,
                1_000,
                plans,
                pulls,
                recorder,
                journal);
        try (Heartbeat heartbeat = new Heartbeat(reports, service.link(), events)) {
            heartbeat.start(Duration.ofMillis(10));
            NodeReport first = service.reports.poll(20, TimeUnit.SECONDS);
            assertThat(first.events()).extracting(NodeReport.NodeEvent::text).containsExactly("before");
            assertThat(first.store()).isEqualTo(new NodeReport.Store(0, 0, 1_000L));
            service.status = 503;
            Wait.until("the outage", () -> events.recent().size() > 1);
            service.status = 200;
            service.reports.clear();
            NodeReport after = service.reports.poll(20, TimeUnit.SECONDS);
            assertThat(after.events()).extracting(NodeReport.NodeEvent::text).noneMatch("before"::equals);
            assertThat(after.instance()).isEqualTo(first.instance());
        }
    }
}
