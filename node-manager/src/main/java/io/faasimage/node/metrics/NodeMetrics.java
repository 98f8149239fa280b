package io.faasimage.node.metrics;

import io.faasimage.api.span.Spans;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.event.Events;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.outbox.Outbox;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.pull.SegmentReport;
import io.faasimage.node.service.Breaker;
import io.faasimage.node.service.RequestBudget;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.storage.StorageKeeper;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import io.faasimage.store.Usage;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All metrics of this node, its gate's included: that has no port of its own. What the parts count is read when
 * somebody asks; only what has a distribution is recorded when it happens. No label has a value that a user can choose.
 * Thread-safe.
 */
public final class NodeMetrics {
    /** From what a look-up takes in memory to the longest wait of a start. */
    private static final double[] WAITS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60};

    private static final double[] DURATIONS = {0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

    private static final double MICROS = 1_000_000;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Meters meters = new Meters(registry);
    private final Parts parts;
    private final Histogram waits;
    private final Histogram pullSeconds;
    private final Counter starts;
    private final Counter demands;
    private final Histogram startSeconds;
    private final Histogram phaseSeconds;
    private final Counter objects;
    private final Counter bytes;
    private final Counter incomplete;
    private volatile Optional<JsonNode> gateAnswer = Optional.empty();

    /**
     * What is measured.
     *
     * @param version of this program
     * @param mounts the way planned images are mounted, a word
     * @param store of objects
     * @param storage its keeper
     * @param plans on this node
     * @param pulls under way and over
     * @param gate and its supervision
     * @param links to the registry
     * @param breaker of these
     * @param budget of these
     * @param outboxes by what waits in them, a word
     * @param spans of this process
     * @param events counts them
     */
    public record Parts(
            String version,
            String mounts,
            ObjectStore store,
            StorageKeeper storage,
            PlanStore plans,
            Pulls pulls,
            GateSupervisor gate,
            List<ServiceLink> links,
            Breaker breaker,
            RequestBudget budget,
            Map<String, Outbox> outboxes,
            Spans spans,
            Events events) {
        /** Copies the collections. */
        public Parts {
            links = List.copyOf(links);
            outboxes = Map.copyOf(outboxes);
        }
    }

    /** Begins to measure {@code parts}. */
    public NodeMetrics(Parts parts) {
        this.parts = parts;
        starts = counter(
                "starts", "starts that are over, by class and whether something had to be brought", "class", "cold");
        demands = counter("start_demands", "objects that starts had to wait for when they read them");
        startSeconds = meters.seconds(
                "start_seconds", "from a start's begin until all that it needed was there", DURATIONS, "cold");
        phaseSeconds = meters.seconds(
                "start_phase_seconds", "from a cold start's begin to the end of the phase", DURATIONS, "phase");
        objects = counter("pulled_objects", "objects that pulls brought, by segment", "segment");
        bytes = counter("pulled_bytes", "compressed bytes that pulls brought, by segment", "segment");
        incomplete = counter("pulls_incomplete", "pulls that ended with objects missing");
        waits = meters.seconds("demand_wait_seconds", "how long reads waited for an object that was not here", WAITS);
        pullSeconds = meters.seconds("pull_seconds", "how long pulls took, by what they brought", DURATIONS, "set");
        // A series that begins with its first event would hide that event from Prometheus.
        for (String cold : List.of("true", "false")) {
            for (StartKind kind : StartKind.values()) {
                starts.initLabelValues(label(kind), cold);
            }
            startSeconds.initLabelValues(cold);
        }
        phaseSeconds.initLabelValues("may_start");
        for (Segment segment : Segment.values()) {
            objects.initLabelValues(segment.label());
            bytes.initLabelValues(segment.label());
        }
        for (Part part : Part.values()) {
            pullSeconds.initLabelValues(part.label());
        }
        bind();
        parts.pulls().listen(this::pulled);
        parts.pulls().demand().measure(nanos -> waits.observe(seconds(nanos)));
    }

    private void bind() {
        meters.gauges(
                "info",
                "always 1; the labels say what runs here",
                sink -> sink.take(1, parts.version(), parts.mounts()),
                "version",
                "mounts");
        meters.gauge("plans", "plans on this node", () -> parts.plans().all().size());
        meters.gauge(
                "pulls_running",
                "pulls under way",
                () -> parts.pulls().running().size());
        meters.counts(
                "events",
                "what is in the log, by severity and part of the node",
                sink -> parts.events()
                        .counts()
                        .forEach((kind, count) ->
                                sink.take(count, kind.severity().name().toLowerCase(Locale.ROOT), kind.topic())),
                "severity",
                "topic");
        demand();
        store();
        registryService();
        meters.gauges("spool_messages", "messages that wait for the registry", this::waiting, "kind");
        meters.counts(
                "spool_dropped",
                "messages that gave way to newer ones before they were delivered",
                sink -> parts.outboxes().forEach((kind, outbox) -> sink.take(outbox.dropped(), kind)),
                "kind");
        gate();
        // Of the same name in all processes.
        CounterWithCallback.builder()
                .name("faasimage_spans_lost")
                .help("spans that did not reach the collector")
                .callback(callback -> callback.call((double) parts.spans().lost()))
                .register(registry);
        meters.gauges("resident_memory_bytes", "memory in use, by process", this::memory, "process");
        meters.counts("cpu_seconds", "processor time, by process", this::cpu, "process");
        long began = Instant.now().getEpochSecond();
        meters.gauge("start_time_seconds", "when the agent began, seconds since 1970", () -> began);
    }

    private void demand() {
        Demand demand = parts.pulls().demand();
        meters.count(
                "demand_waited",
                "reads that waited for an object already on its way",
                () -> demand.counts().waited());
        meters.count(
                "demand_fetched",
                "objects fetched because they were read",
                () -> demand.counts().fetched());
        meters.count(
                "demand_bytes",
                "compressed bytes of objects fetched because they were read",
                () -> demand.counts().bytes());
    }

    private void store() {
        meters.gauges("store_objects", "objects held, by tier", sink -> usage(sink, Usage::objects), "tier");
        meters.gauges("store_bytes", "bytes of objects held, by tier", sink -> usage(sink, Usage::bytes), "tier");
        meters.gauges("store_budget_bytes", "most bytes, of tiers that have a limit", this::budgets, "tier");
        StorageKeeper storage = parts.storage();
        meters.count(
                "evicted_objects",
                "objects that left the node for want of room",
                () -> storage.counts().evictedObjects());
        meters.count(
                "evicted_bytes",
                "bytes that left the node for want of room",
                () -> storage.counts().evictedBytes());
        meters.counts(
                "moved_objects",
                "objects that changed their tier, by the tier they came to",
                sink -> {
                    sink.take(storage.counts().promoted(), "fast");
                    sink.take(storage.counts().demoted(), "capacity");
                },
                "tier");
    }

    private void registryService() {
        meters.count(
                "registry_requests",
                "requests sent to the registry service",
                () -> parts.links().stream().mapToLong(ServiceLink::requests).sum());
        meters.count(
                "registry_failures",
                "requests that it did not answer, or not sensibly",
                () -> parts.links().stream().mapToLong(ServiceLink::failures).sum());
        meters.count("registry_pauses", "times it asked for a pause", parts.budget()::pauses);
        meters.gauge(
                "registry_refused",
                "1 while it is not asked for plans because it failed a moment ago",
                () -> parts.breaker().refusal().isPresent() ? 1 : 0);
    }

    private void gate() {
        meters.gauge("gate_up", "1 when the gate answers", () -> gateAnswer.isPresent() ? 1 : 0);
        meters.count(
                "gate_starts", "gates started by this agent", () -> parts.gate().starts());
        meters.count("gate_requests", "look-ups of missing objects at the gate", () -> gateNumber("requests"));
        meters.count("gate_fetched", "objects that the gate fetched by itself", () -> gateNumber("fetched"));
        meters.count("gate_failed", "objects that the gate could not get, tries included", () -> gateNumber("failed"));
        meters.gauge("gate_waiting", "look-ups that wait at the gate now", () -> gateNumber("waiting"));
    }

    private Counter counter(String name, String help, String... labels) {
        return Counter.builder()
                .name("faasimage_node_" + name)
                .help(help)
                .labelNames(labels)
                .withoutExemplars()
                .register(registry);
    }

    private double gateNumber(String name) {
        return gateAnswer.map(answer -> answer.path(name).asDouble(0)).orElse(0.0);
    }

    private interface Amount {
        long of(Usage usage);
    }

    private void usage(Meters.Sink sink, Amount amount) {
        try {
            sink.take(amount.of(parts.store().usage(Tier.CAPACITY)), "capacity");
            if (parts.store().fastDirectory().isPresent()) {
                sink.take(amount.of(parts.store().usage(Tier.FAST)), "fast");
            }
        } catch (IOException e) {
            parts.events().error("storage", "the object store cannot be measured: " + Events.reason(e));
        }
    }

    private void budgets(Meters.Sink sink) {
        try {
            if (parts.storage().capacityBudget() > 0) {
                sink.take(parts.storage().capacityBudget(), "capacity");
            }
            if (parts.store().fastDirectory().isPresent()) {
                sink.take(parts.store().fastLimit(), "fast");
            }
        } catch (IOException e) {
            parts.events().error("storage", "the object store cannot be measured: " + Events.reason(e));
        }
    }

    private void waiting(Meters.Sink sink) {
        parts.outboxes().forEach((kind, outbox) -> {
            try {
                sink.take(outbox.pending().size(), kind);
            } catch (IOException e) {
                parts.events().error(kind, "cannot count what waits: " + Events.reason(e));
            }
        });
    }

    private void memory(Meters.Sink sink) {
        ProcessFiles.residentBytes(ProcessHandle.current().pid()).ifPresent(b -> sink.take(b, "agent"));
        gatePid().ifPresent(pid -> ProcessFiles.residentBytes(pid).ifPresent(b -> sink.take(b, "gate")));
    }

    private void cpu(Meters.Sink sink) {
        cpu(sink, Optional.of(ProcessHandle.current()), "agent");
        cpu(sink, gatePid().flatMap(ProcessHandle::of), "gate");
    }

    private static void cpu(Meters.Sink sink, Optional<ProcessHandle> process, String name) {
        process.flatMap(p -> p.info().totalCpuDuration()).ifPresent(time -> sink.take(time.toMillis() / 1000.0, name));
    }

    private Optional<Long> gatePid() {
        return gateAnswer.map(answer -> answer.path("pid").asLong(0)).filter(pid -> pid > 0);
    }

    private void pulled(PullReport report) {
        pullSeconds
                .labelValues(report.part().label())
                .observe(seconds(report.took().toNanos()));
        for (SegmentReport segment : report.segments()) {
            objects.labelValues(segment.segment().label()).inc(segment.objects());
            bytes.labelValues(segment.segment().label()).inc(segment.storedBytes());
        }
        if (!report.complete()) {
            incomplete.inc();
        }
    }

    /** A start is over. Only what was measured counts. */
    public void started(StartRecord start) {
        starts.labelValues(label(start.kind()), Boolean.toString(start.cold())).inc();
        demands.inc(start.demanded());
        @Nullable Long total = start.totalMicros();
        if (total != null) {
            startSeconds.labelValues(Boolean.toString(start.cold())).observe(total / MICROS);
        }
        if (start.cold()) {
            StartPhases phases = start.phases();
            phase("asked", phases.asked());
            phase("first_byte", phases.firstByte());
            phase("planned", phases.planned());
            phase("mounted", phases.mounted());
            phase("may_start", phases.mayStart());
            phase("first_process", phases.firstProcess());
            phase("ready", phases.ready());
            phase("last_object", phases.lastObject());
        }
    }

    private void phase(String name, @Nullable Long micros) {
        if (micros != null) {
            phaseSeconds.labelValues(name).observe(micros / MICROS);
        }
    }

    private static String label(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** All values now; the gate is asked for its own, for a bounded time. One at a time. */
    public synchronized MetricSnapshots scrape() {
        gateAnswer = parts.gate().status();
        return registry.scrape();
    }
}
