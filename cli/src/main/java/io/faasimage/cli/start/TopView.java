package io.faasimage.cli.start;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.start.StartSummary;
import io.faasimage.cli.node.NodeRows;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The view of {@code faasimage top} at one moment.
 *
 * @param now the moment
 * @param service address of registry-service
 * @param overview the whole in a few numbers
 * @param nodes all of them
 * @param starts the newest
 */
record TopView(Instant now, String service, Overview overview, List<NodeInfo> nodes, List<StartSummary> starts) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final int HEAD_LINES = 3;
    /** Of those that are not in the head, one part in so many is for nodes. */
    private static final int NODES_PART = 3;

    TopView {
        nodes = List.copyOf(nodes);
        starts = List.copyOf(starts);
    }

    /** Prints as much as fits. */
    void print(Screen screen, ZoneId zone) {
        line(
                screen,
                "faasimage at " + service + ", " + TIME.format(now.atZone(zone)) + ": " + overview.nodesAlive() + " of "
                        + overview.nodes() + " nodes alive, " + overview.functions() + " functions"
                        + counts(", images ", overview.images()) + counts(", jobs ", overview.jobs()));
        line(
                screen,
                "Last 24 hours: " + overview.starts() + " starts, " + overview.coldStarts() + " cold; median "
                        + Ages.seconds(overview.medianMicros()) + ", 95 % " + Ages.seconds(overview.p95Micros()));
        line(
                screen,
                "Moved " + Output.bytes(overview.bytes()) + ", saved " + Output.bytes(overview.savedBytes())
                        + " compared with full pulls");
        List<Overview.Wrong> wrong = overview.wrong().stream().limit(HEAD_LINES).toList();
        wrong.forEach(w -> line(screen, "! " + (w.subject().isEmpty() ? "" : w.subject() + ": ") + w.text()));
        // Two empty lines, two headings, and one line for the cursor.
        int rows = Math.max(2, screen.height() - wrong.size() - 8);
        int nodeRows = Math.min(nodes.size(), Math.max(1, rows / NODES_PART));
        nodes(screen, nodeRows);
        starts(screen, rows - nodeRows);
        screen.out().flush();
    }

    private static String counts(String title, Map<String, Long> counts) {
        return counts.isEmpty()
                ? ""
                : title
                        + new TreeMap<>(counts)
                                .entrySet().stream()
                                        .map(entry -> entry.getValue() + " " + entry.getKey())
                                        .collect(Collectors.joining(", "));
    }

    private static void line(Screen screen, String text) {
        screen.out().println(Printable.fit(Printable.line(text), screen.width()));
    }

    private void nodes(Screen screen, int most) {
        PrintWriter out = screen.out();
        out.println();
        Table table = NodeRows.table();
        nodes.stream().limit(most).forEach(node -> table.row(NodeRows.cells(node, now)));
        table.print(screen);
    }

    private void starts(Screen screen, int most) {
        PrintWriter out = screen.out();
        out.println();
        Table table = StartRows.table();
        starts.stream().limit(most).forEach(start -> table.row(StartRows.cells(start, now)));
        table.print(screen);
    }
}
