package io.faasimage.registry.functions.node;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.functions.start.StartReason;
import io.faasimage.registry.functions.start.Starts;
import io.faasimage.registry.platform.config.HistorySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** The nodes that have reported. Thread-safe. */
@Service
public class Nodes {
    private static final Duration DAY = Duration.ofDays(1);

    private final NodeTable table;
    private final Starts starts;
    private final EventLog events;
    private final HistorySettings settings;
    private final TransactionOperations transaction;
    private final Clock clock;

    Nodes(
            NodeTable table,
            Starts starts,
            EventLog events,
            HistorySettings settings,
            TransactionOperations transaction,
            Clock clock) {
        this.table = table;
        this.starts = starts;
        this.events = events;
        this.settings = settings;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** A node reports. */
    public void put(String name, NodeReport report) {
        NodeReport kept = new NodeReport(
                report.instance(),
                report.version(),
                report.startedAt(),
                report.mounts(),
                report.problem(),
                report.store(),
                report.plans(),
                report.heldObjects(),
                report.pulledObjects(),
                report.demandedObjects(),
                report.starts(),
                report.waiting(),
                report.lost(),
                List.of());
        transaction.executeWithoutResult(status -> {
            table.put(name, clock.instant(), kept);
            report.events().forEach(event -> events.node(name, report.instance(), event));
        });
    }

    /** All nodes by name. */
    public List<NodeInfo> all() {
        Instant now = clock.instant();
        Map<String, List<StartReason>> reasons =
                starts.reasons(now.minus(DAY)).stream().collect(Collectors.groupingBy(StartReason::node));
        Map<String, Map<String, Long>> counts = starts.byNode(now.minus(DAY));
        return table.all().stream()
                .map(row -> info(
                        row,
                        now,
                        counts.getOrDefault(row.name(), Map.of()),
                        reasons.getOrDefault(row.name(), List.of())))
                .toList();
    }

    /** One node. */
    public NodeInfo get(String name) {
        return all().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound(
                        "no node '" + name + "' has reported; GET /v1/nodes lists those that have"));
    }

    private NodeInfo info(NodeTable.Row row, Instant now, Map<String, Long> counts, List<StartReason> reasons) {
        return new NodeInfo(
                row.name(),
                row.heard(),
                row.heard().plus(settings.nodeAlive()).isAfter(now),
                hitRatio(row.report()),
                counts,
                counted(reasons),
                row.report());
    }

    private static @Nullable Double hitRatio(NodeReport report) {
        long wanted = report.heldObjects() + report.pulledObjects() + report.demandedObjects();
        return wanted == 0 ? null : (double) report.heldObjects() / wanted;
    }

    private static List<NodeInfo.Reason> counted(List<StartReason> reasons) {
        return reasons.stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> new NodeInfo.Reason(
                        entry.getKey().kind(), entry.getKey().text(), entry.getValue()))
                .sorted(Comparator.comparingLong(NodeInfo.Reason::starts)
                        .reversed()
                        .thenComparing(NodeInfo.Reason::text))
                .limit(NodeInfo.MAX_REASONS)
                .toList();
    }

    /** Removes nodes that have not reported for long. */
    public void age() {
        table.forget(clock.instant().minus(settings.nodesFor()));
    }
}
