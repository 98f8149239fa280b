package io.faasimage.cli;

import io.faasimage.api.NodeInfo;
import io.faasimage.api.NodeReport.NodeTier;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Nodes as rows of a table. */
final class NodeRows {
    private static final double PERCENT = 100;

    private NodeRows() {}

    static Table table() {
        return new Table("NODE", "=STATE", ">LAZY", ">MISSES", ">FULL", ">REFUSED", ">HIT?", ">HELD?", ">HEARD");
    }

    /** Starts are those of the last day. */
    static String[] cells(NodeInfo node, Instant now) {
        Double hits = node.hitRatio();
        return new String[] {
            node.name(),
            node.alive() ? "ok" : "silent",
            starts(node.starts(), "lazy"),
            starts(node.starts(), "misses"),
            starts(node.starts(), "full"),
            starts(node.starts(), "refused"),
            hits == null ? "-" : "%.0f %%".formatted(hits * PERCENT),
            held(node.report().tiers()),
            Ages.since(node.heard(), now)
        };
    }

    private static String starts(Map<String, Long> starts, String kind) {
        return Long.toString(starts.getOrDefault(kind, 0L));
    }

    private static String held(List<NodeTier> tiers) {
        return Output.bytes(tiers.stream().mapToLong(NodeTier::bytes).sum());
    }
}
