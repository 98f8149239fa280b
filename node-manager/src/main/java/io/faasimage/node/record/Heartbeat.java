package io.faasimage.node.record;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.node.NodeReport.NodeEvent;
import io.faasimage.api.node.NodeReport.NodeTier;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.node.event.Event;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import io.faasimage.store.Usage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Tells the registry of this node every now and then, and what happened on it since. One thread. */
final class Heartbeat implements AutoCloseable {
    private static final String TOPIC = "heartbeat";
    private static final int MOST_TEXT = 2000;

    private final Parts parts;
    private final String instance = UUID.randomUUID().toString();
    private final Instant startedAt = Instant.now();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("heartbeat").daemon().factory());
    private long told;
    private boolean reached = true;

    /**
     * What is told of.
     *
     * @param node name of this node
     * @param version of this program
     * @param mounts how planned images are mounted
     * @param problem why planned images are not used
     * @param storeBudget most bytes of objects in the capacity tier; 0 for no limit
     * @param store of objects
     * @param plans on this node
     * @param pulls of objects
     * @param link to the registry
     * @param events that happened
     */
    record Parts(
            String node,
            String version,
            String mounts,
            Optional<String> problem,
            long storeBudget,
            ObjectStore store,
            PlanStore plans,
            Pulls pulls,
            ServiceLink link,
            Events events) {}

    private final StartRecorder recorder;
    private final StartJournal journal;

    Heartbeat(Parts parts, StartRecorder recorder, StartJournal journal) {
        this.parts = parts;
        this.recorder = recorder;
        this.journal = journal;
    }

    /** Begins, and tells at once. */
    void start(Duration pause) {
        var _ = thread.scheduleWithFixedDelay(this::beat, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void beat() {
        try {
            List<Events.Numbered> newer = parts.events().after(told);
            List<Events.Numbered> events =
                    newer.subList(Math.max(0, newer.size() - NodeReport.MAX_EVENTS), newer.size());
            parts.link().putNode(parts.node(), report(events));
            told = events.isEmpty() ? told : events.getLast().number();
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
            parts.events().fallback(TOPIC, text);
        }
        reached = false;
    }

    private NodeReport report(List<Events.Numbered> events) throws IOException {
        Pulls.Counts objects = parts.pulls().counts();
        return new NodeReport(
                instance,
                parts.version(),
                startedAt,
                parts.mounts(),
                parts.problem().orElse(null),
                tiers(),
                parts.plans().all().size(),
                objects.held(),
                objects.pulled(),
                parts.pulls().demand().counts().fetched(),
                recorder.counts(),
                journal.waiting(),
                journal.lost(),
                events.stream().map(Heartbeat::event).toList());
    }

    private List<NodeTier> tiers() throws IOException {
        List<NodeTier> tiers = new ArrayList<>();
        Usage capacity = parts.store().usage(Tier.CAPACITY);
        tiers.add(new NodeTier(
                "capacity",
                capacity.objects(),
                capacity.bytes(),
                parts.storeBudget() == 0 ? null : parts.storeBudget()));
        if (parts.store().fastDirectory().isPresent()) {
            Usage fast = parts.store().usage(Tier.FAST);
            tiers.add(new NodeTier(
                    "fast", fast.objects(), fast.bytes(), parts.store().fastLimit()));
        }
        return tiers;
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

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
