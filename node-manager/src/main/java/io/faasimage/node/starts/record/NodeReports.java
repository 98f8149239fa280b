package io.faasimage.node.starts.record;

import io.faasimage.api.node.NodeReport;
import io.faasimage.api.node.NodeReport.NodeEvent;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.Usage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The reports of a node: its description, its content and its work since this process began. Thread-safe. */
public final class NodeReports {
    private static final int MOST_TEXT = 2000;

    private final NodeDescription node;
    private final ObjectStore store;
    private final long budget;
    private final PlanStore plans;
    private final Pulls pulls;
    private final StartRecorder recorder;
    private final StartJournal journal;
    private final String instance = UUID.randomUUID().toString();
    private final Instant startedAt = Instant.now();

    /**
     * Reports of {@code node}.
     *
     * @param budget most bytes of objects; 0 for no limit
     * @param recorder counts its starts, as {@code journal} does
     */
    public NodeReports(
            NodeDescription node,
            ObjectStore store,
            long budget,
            PlanStore plans,
            Pulls pulls,
            StartRecorder recorder,
            StartJournal journal) {
        this.node = node;
        this.store = store;
        this.budget = budget;
        this.plans = plans;
        this.pulls = pulls;
        this.recorder = recorder;
        this.journal = journal;
    }

    /** The name of the node. */
    String node() {
        return node.name();
    }

    /** A report as of now, with these events. */
    NodeReport with(List<Events.Numbered> events) throws IOException {
        Pulls.Counts objects = pulls.counts();
        Usage usage = store.usage();
        return new NodeReport(
                instance,
                node.version(),
                startedAt,
                node.mounts(),
                node.problem().orElse(null),
                new NodeReport.Store(usage.objects(), usage.bytes(), budget == 0 ? null : budget),
                plans.all().size(),
                objects.held(),
                objects.pulled(),
                pulls.demand().counts().fetched(),
                recorder.counts(),
                journal.waiting(),
                journal.lost(),
                events.stream().map(NodeReports::event).toList());
    }

    private static NodeEvent event(Events.Numbered numbered) {
        Event event = numbered.event();
        String text = event.text().replace('\0', ' ');
        return new NodeEvent(
                numbered.number(),
                event.at(),
                switch (event.severity()) {
                    case INFO -> EventInfo.Severity.INFO;
                    case FALLBACK -> EventInfo.Severity.FALLBACK;
                    case ERROR -> EventInfo.Severity.ERROR;
                },
                event.topic(),
                text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text);
    }
}
