package io.faasimage.node.agent.metrics;

import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import java.time.Instant;
import java.util.Locale;

/** The metrics of the agent as a whole: its version, and the lines of its log. */
public final class AgentMetrics extends Meters {
    /**
     * Measures the agent.
     *
     * @param version of this program
     * @param mounts the way planned images are mounted, a word
     * @param plans on this node
     * @param events counts them
     */
    public AgentMetrics(String version, String mounts, PlanStore plans, Events events) {
        gauges(
                "info",
                "always 1; the labels say what runs here",
                sink -> sink.take(1, version, mounts),
                "version",
                "mounts");
        gauge("plans", "plans on this node", () -> plans.all().size());
        counts(
                "events",
                "what is in the log, by severity and part of the node",
                sink -> events.counts()
                        .forEach((kind, count) ->
                                sink.take(count, kind.severity().name().toLowerCase(Locale.ROOT), kind.topic())),
                "severity",
                "topic");
        long began = Instant.now().getEpochSecond();
        gauge("start_time_seconds", "when the agent began, seconds since 1970", () -> began);
    }
}
