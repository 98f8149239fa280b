package io.faasimage.node.starts.record;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.node.NodeReport;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A timer that reports this node and its newest events to the service. One thread. */
public final class Heartbeat implements AutoCloseable {
    private static final String TOPIC = "heartbeat";

    private final NodeReports reports;
    private final ServiceLink link;
    private final Events events;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("heartbeat").daemon().factory());
    private long lastReported;
    private boolean reached = true;

    /** Reports to {@code link}; {@code events} are the node's recent events. */
    public Heartbeat(NodeReports reports, ServiceLink link, Events events) {
        this.reports = reports;
        this.link = link;
        this.events = events;
    }

    /** Begins with a report at once. */
    public void start(Duration pause) {
        var _ = thread.scheduleWithFixedDelay(this::beat, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void beat() {
        try {
            List<Events.Numbered> newer = events.after(lastReported);
            List<Events.Numbered> last = newer.subList(Math.max(0, newer.size() - NodeReport.MAX_EVENTS), newer.size());
            link.putNode(reports.node(), reports.with(last));
            lastReported = last.isEmpty() ? lastReported : last.getLast().number();
            reached = true;
        } catch (ServiceException e) {
            unreached("the service rejected this node's report: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            unreached("could not report this node to the service: " + Events.reason(e));
        }
    }

    /** Once for each time that it cannot be reached. */
    private void unreached(String text) {
        if (reached) {
            events.fallback(TOPIC, text);
        }
        reached = false;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
