package io.faasimage.node.agent.control;

import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.control.node.PlanStatus;
import io.faasimage.api.control.node.PullStatus;
import io.faasimage.api.control.node.SupervisedGate;
import io.faasimage.format.plan.Segment;
import io.faasimage.node.containerd.catalogue.Catalogue;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.Usage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The source of the status that {@code faasimage node status} shows. Thread-safe. */
public final class StatusReport {
    private static final Duration REGISTRY_LIMIT = Duration.ofSeconds(2);

    private final Parts parts;
    private final Instant started = Instant.now();

    /**
     * The sources of the status.
     *
     * @param version of this program
     * @param store of objects
     * @param plans on this node
     * @param chains knows which objects plans lack that containers without a gate need
     * @param pulls under way and over
     * @param gate and its supervision
     * @param link to the service
     * @param catalogue images kept ready
     * @param ways how planned images are mounted and stored, in words
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
            Catalogue catalogue,
            String ways,
            Events events) {}

    /** The status of {@code parts}. */
    public StatusReport(Parts parts) {
        this.parts = parts;
    }

    /** Everything; bounded in time, also when the service or the gate does not answer. */
    public NodeStatus status() throws IOException {
        return new NodeStatus(
                parts.version(),
                ProcessHandle.current().pid(),
                Duration.between(started, Instant.now()).toSeconds(),
                store(),
                parts.ways(),
                registry(),
                new SupervisedGate(parts.gate().supervision(), parts.gate().status()),
                demand(),
                parts.catalogue().status().orElse(null),
                plans(),
                new PullStatus(
                        parts.pulls().running().stream().map(StatusReport::show).toList(),
                        parts.pulls().finished().stream()
                                .map(StatusReport::show)
                                .toList()),
                parts.events().recent().stream().map(StatusReport::show).toList());
    }

    private NodeStatus.Store store() throws IOException {
        Usage usage = parts.store().usage();
        return new NodeStatus.Store(parts.store().root().toString(), usage.objects(), usage.bytes());
    }

    private NodeStatus.Registry registry() {
        ServiceLink link = parts.link();
        return new NodeStatus.Registry(
                link.address(),
                link.refusal().orElse(null),
                link.budget().left().map(Duration::toMillis).orElse(null),
                reachable(),
                link.requests());
    }

    private boolean reachable() {
        try {
            return TimedCall.run(
                    "registry-health", REGISTRY_LIMIT, () -> parts.link().reachable());
        } catch (IOException e) {
            return false;
        }
    }

    private NodeStatus.Demand demand() {
        Demand demand = parts.pulls().demand();
        Demand.Counts counts = demand.counts();
        return new NodeStatus.Demand(
                counts.waited(),
                counts.fetched(),
                counts.millis(),
                demand.limit().toSeconds());
    }

    /** The plans on this node. */
    public List<PlanStatus> plans() {
        return parts.plans().all().stream().map(this::show).toList();
    }

    private PlanStatus show(StoredPlan plan) {
        OptionalLong missing = parts.chains().retention().missing(plan.digest());
        return new PlanStatus(
                plan.digest().toString(),
                plan.image().toString(),
                plan.top().chainId().toString(),
                plan.layers().size(),
                plan.received(),
                parts.plans().states().isComplete(plan.digest()),
                missing.isPresent() ? missing.getAsLong() : null);
    }

    private static PullStatus.Running show(Pull pull) {
        Pull.Progress progress = pull.progress();
        return new PullStatus.Running(
                pull.plan().toString(),
                pull.part().label(),
                progress.published(),
                progress.objects(),
                progress.wireBytes());
    }

    private static PullStatus.Finished show(PullReport report) {
        return new PullStatus.Finished(
                report.plan().toString(),
                report.part().label(),
                report.started(),
                report.took().toMillis(),
                report.held(),
                report.objects(),
                report.wireBytes(),
                report.requests(),
                report.missing(),
                brought(report, Segment.BASE),
                brought(report, Segment.LIB),
                brought(report, Segment.FUNC),
                report.failures().isEmpty() ? null : report.failures());
    }

    private static PullStatus.@Nullable Brought brought(PullReport report, Segment segment) {
        return report.segments().stream()
                .filter(brought -> brought.segment() == segment)
                .findFirst()
                .map(brought -> new PullStatus.Brought(
                        brought.objects(), brought.storedBytes(), brought.took().toMillis()))
                .orElse(null);
    }

    private static NodeStatus.Event show(Event event) {
        return new NodeStatus.Event(
                event.at(), event.severity().name().toLowerCase(Locale.ROOT), event.topic(), event.text());
    }
}
