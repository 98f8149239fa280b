package io.faasimage.cli.node;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Table;
import java.time.Instant;
import java.util.Map;

/** Nodes as rows of a table. */
public final class NodeRows {
    private static final double PERCENT = 100;

    private NodeRows() {}

    public static Table table() {
        return new Table("NODE", "=STATE", ">LAZY", ">MISSES", ">FULL", ">REFUSED", ">HIT?", ">HELD?", ">HEARD");
    }

    /** Starts are those of the last day. */
    public static String[] cells(NodeInfo node, Instant now) {
        Double hits = node.hitRatio();
        return new String[] {
            node.name(),
            node.alive() ? "ok" : "silent",
            starts(node.starts(), "lazy"),
            starts(node.starts(), "misses"),
            starts(node.starts(), "full"),
            starts(node.starts(), "refused"),
            hits == null ? "-" : "%.0f %%".formatted(hits * PERCENT),
            Output.bytes(node.report().store().bytes()),
            Ages.since(node.heard(), now)
        };
    }

    private static String starts(Map<String, Long> starts, String kind) {
        return Long.toString(starts.getOrDefault(kind, 0L));
    }
}
