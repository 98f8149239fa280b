package io.faasimage.node;

import io.faasimage.api.Json;
import io.faasimage.api.RegistryException;
import io.faasimage.api.StartReport;
import io.faasimage.api.StartReport.Kind;
import io.faasimage.api.StartReport.Miss;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.outbox.Outbox;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.node.start.ObservedStart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;

/**
 * Tells the registry of starts: what they read that their plans had not foreseen, so that the next plan has it. Reports
 * wait on the disk while the registry is down. Thread-safe.
 */
final class StartReports implements AutoCloseable {
    private static final String KIND = "start";
    private static final int CAPACITY = 1000;
    /** So that a report stays below the 64 KiB that the service takes. */
    private static final int MOST_MISSES = 400;

    private final String node;
    private final Pulls pulls;
    private final RegistryLink link;
    private final Events events;
    private final Outbox outbox;
    /** When the last pull that a report has told of began: each is told of once. */
    private final Map<Digest, Instant> told = new ConcurrentHashMap<>();

    /** Opens the outbox below {@code root} and begins to deliver what is in it; {@code node} names this node. */
    StartReports(Path root, String node, Pulls pulls, RegistryLink link, Events events) throws IOException {
        this.node = node;
        this.pulls = pulls;
        this.link = link;
        this.events = events;
        this.outbox = new Outbox(Outbox.Config.of(KIND, root.resolve("starts"), CAPACITY), this::deliver, events);
    }

    /** Where reports wait. */
    Outbox outbox() {
        return outbox;
    }

    /** Takes what was observed of one start. */
    void report(ObservedStart start) {
        Optional<PullReport> pull = pullOf(start);
        StartReport report = new StartReport(
                start.image().toString(),
                start.plan().toString(),
                node,
                start.at(),
                start.misses().isEmpty() ? Kind.LAZY : Kind.MISSES,
                start.coverage(),
                misses(start),
                pull.map(p -> Map.of("pull", p.took().toMillis())).orElse(Map.of()),
                pull.map(PullReport::wireBytes).orElse(0L),
                null);
        outbox.put("image " + start.image(), Json.mapper().writeValueAsBytes(report));
        events.info(
                KIND,
                String.format(
                        Locale.ROOT,
                        "a start of image %s read %d objects beyond its start-up set, coverage %.3f",
                        start.image(),
                        start.misses().size(),
                        start.coverage()));
    }

    private static List<Miss> misses(ObservedStart start) {
        return start.misses().stream()
                .limit(MOST_MISSES)
                .map(miss -> new Miss(miss.object().toString(), null, (long) miss.millis()))
                .toList();
    }

    /** The pull that brought the start-up set for this start; empty when an earlier start had it. */
    private Optional<PullReport> pullOf(ObservedStart start) {
        Optional<PullReport> last = pulls.finished().reversed().stream()
                .filter(report -> report.plan().equals(start.plan()) && report.objects() > 0)
                .findFirst();
        return last.filter(report -> !report.started().equals(told.put(start.plan(), report.started())));
    }

    private void deliver(byte[] message) throws IOException {
        try {
            StartReport report = Json.mapper().readValue(message, StartReport.class);
            if (!link.postStart(report)) {
                events.info(KIND, "the registry does not know image " + report.image() + " any more");
            }
        } catch (JacksonException e) {
            events.error(KIND, "a kept report is unreadable and is dropped: " + e.getOriginalMessage());
        } catch (RegistryException e) {
            // What can be tried again comes as another exception.
            events.error(KIND, "the registry refused a report of a start: " + e.getMessage());
        }
    }

    /** Stops delivering; what is left is delivered by the next process. */
    @Override
    public void close() {
        outbox.close();
    }
}
