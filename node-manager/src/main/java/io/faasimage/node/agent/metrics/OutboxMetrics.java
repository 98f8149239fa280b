package io.faasimage.node.agent.metrics;

import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.outbox.Outbox;
import java.io.IOException;
import java.util.Map;

/** The metrics of messages that wait for the registry service. */
public final class OutboxMetrics extends Meters {
    private final Map<String, Outbox> outboxes;
    private final Events events;

    /** Measures {@code outboxes}, keyed by the kind of their messages; {@code events} receives failures. */
    public OutboxMetrics(Map<String, Outbox> outboxes, Events events) {
        this.outboxes = Map.copyOf(outboxes);
        this.events = events;
        gauges("spool_messages", "messages that wait for the registry", this::waiting, "kind");
        counts(
                "spool_dropped",
                "messages that gave way to newer ones before they were delivered",
                sink -> this.outboxes.forEach((kind, outbox) -> sink.take(outbox.dropped(), kind)),
                "kind");
    }

    private void waiting(Sink sink) {
        outboxes.forEach((kind, outbox) -> {
            try {
                sink.take(outbox.pending().size(), kind);
            } catch (IOException e) {
                events.error(kind, "cannot count what waits: " + Events.reason(e));
            }
        });
    }
}
