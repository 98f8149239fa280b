package io.faasimage.node.control;

import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.node.event.Event;
import io.faasimage.node.event.Events;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.lazy.PlannedImages;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.rootfs.MountPlanner;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import io.faasimage.store.Usage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The status shown by {@code faasimage node status}, as JSON-serialisable maps. Thread-safe. */
public final class NodeStatus {
    private static final Duration REGISTRY_LIMIT = Duration.ofSeconds(2);

    private final Parts parts;
    private final Instant started = Instant.now();

    /**
     * What is shown.
     *
     * @param version of this program
     * @param store of objects
     * @param plans on this node
     * @param chains knows what plans lack that containers without a gate need
     * @param pulls under way and over
     * @param gate and its supervision
     * @param link to the service
     * @param planner how planned images are mounted
     * @param events recent ones
     */
    public record Parts(
            String version,
            ObjectStore store,
            PlanStore plans,
            PlannedImages chains,
            Pulls pulls,
            GateSupervisor gate,
            ServiceLink link,
            MountPlanner planner,
            Events events) {}

    /** The status of {@code parts}. */
    public NodeStatus(Parts parts) {
        this.parts = parts;
    }

    /** Everything; bounded in time, also when the service or the gate does not answer. */
    public Map<String, Object> status() throws IOException {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("version", parts.version());
        status.put("pid", ProcessHandle.current().pid());
        status.put("uptimeSeconds", Duration.between(started, Instant.now()).toSeconds());
        status.put("store", store());
        status.put("mounts", parts.planner().describe());
        status.put("registry", registry());
        status.put("gate", gate());
        Demand.Counts demand = parts.pulls().demand().counts();
        status.put(
                "demand",
                Map.of(
                        "waited", demand.waited(),
                        "fetched", demand.fetched(),
                        "millis", demand.millis(),
                        "limitSeconds", parts.pulls().demand().limit().toSeconds()));
        status.put("plans", plans());
        status.put("pulls", pulls());
        status.put(
                "events", parts.events().recent().stream().map(NodeStatus::show).toList());
        return status;
    }

    private Map<String, Object> store() throws IOException {
        Usage usage = parts.store().usage();
        Map<String, Object> store = new LinkedHashMap<>();
        store.put("root", parts.store().root().toString());
        store.put("objects", usage.objects());
        store.put("bytes", usage.bytes());
        if (parts.store().fastDirectory().isPresent()) {
            Usage fast = parts.store().usage(Tier.FAST);
            store.put(
                    "fast",
                    Map.of(
                            "directory", parts.store().fastDirectory().get().toString(),
                            "mounted", parts.store().isFastThere(),
                            "objects", fast.objects(),
                            "bytes", fast.bytes(),
                            "limit", parts.store().fastLimit()));
        }
        return store;
    }

    private Map<String, Object> registry() {
        Map<String, Object> registry = new LinkedHashMap<>();
        registry.put("address", parts.link().address());
        parts.link().refusal().ifPresent(reason -> registry.put("awayBecause", reason));
        parts.link().budget().left().ifPresent(pause -> registry.put("pauseMillis", pause.toMillis()));
        registry.put("reachable", reachable());
        registry.put("requests", parts.link().requests());
        return registry;
    }

    private boolean reachable() {
        try {
            return TimedCall.run(
                    "registry-health", REGISTRY_LIMIT, () -> parts.link().reachable());
        } catch (IOException e) {
            return false;
        }
    }

    private Map<String, Object> gate() {
        Map<String, Object> gate = new LinkedHashMap<>(parts.gate().supervision());
        parts.gate()
                .status()
                .ifPresent(answer -> answer.properties().forEach(field -> gate.put(field.getKey(), field.getValue())));
        return gate;
    }

    /** The plans on this node. */
    public List<Map<String, Object>> plans() {
        return parts.plans().all().stream().map(this::show).toList();
    }

    private Map<String, Object> show(StoredPlan plan) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("plan", plan.digest().toString());
        shown.put("image", plan.image().toString());
        shown.put("chain", plan.top().chainId().toString());
        shown.put("layers", plan.layers().size());
        shown.put("received", plan.received().toString());
        shown.put("complete", parts.plans().marks().isComplete(plan.digest()));
        parts.chains().retention().missing(plan.digest()).ifPresent(missing -> shown.put("missing", missing));
        return shown;
    }

    private Map<String, Object> pulls() {
        return Map.of(
                "running",
                parts.pulls().running().stream().map(NodeStatus::show).toList(),
                "finished",
                parts.pulls().finished().stream().map(NodeStatus::show).toList());
    }

    private static Map<String, Object> show(Pull pull) {
        Pull.Progress progress = pull.progress();
        return Map.of(
                "plan", pull.plan().toString(),
                "set", pull.part().label(),
                "done", progress.published(),
                "total", progress.objects(),
                "bytes", progress.wireBytes());
    }

    private static Map<String, Object> show(PullReport report) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("plan", report.plan().toString());
        shown.put("set", report.part().label());
        shown.put("started", report.started().toString());
        shown.put("millis", report.took().toMillis());
        shown.put("held", report.held());
        shown.put("objects", report.objects());
        shown.put("bytes", report.wireBytes());
        shown.put("requests", report.requests());
        shown.put("missing", report.missing());
        report.segments()
                .forEach(segment -> shown.put(
                        segment.segment().label(),
                        Map.of(
                                "objects", segment.objects(),
                                "bytes", segment.storedBytes(),
                                "millis", segment.took().toMillis())));
        Optional.of(report.failures()).filter(f -> !f.isEmpty()).ifPresent(f -> shown.put("failures", f));
        return shown;
    }

    private static Map<String, Object> show(Event event) {
        return Map.of(
                "at", event.at().toString(),
                "severity", event.severity().name().toLowerCase(Locale.ROOT),
                "topic", event.topic(),
                "text", event.text());
    }
}
