package io.faasimage.cli.node;

import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.control.node.PlanStatus;
import io.faasimage.api.control.node.PullStatus;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of a node agent, for people: its values, then a table of its plans, of its pulls and of its latest events.
 */
final class NodeStatusView {
    private static final int DIGEST = "sha256:".length() + 12;
    /** More are in {@code --json}. */
    private static final int ROWS = 20;

    private static final Set<String> TABLES = Set.of("plans", "pulls", "events");
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    private NodeStatusView() {}

    /** Prints {@code status} to {@code screen}, with times of this machine's zone. */
    static void print(NodeStatus status, Screen screen) {
        NodeMessages.describe(status, "", screen.out(), TABLES);
        plans(status.plans(), screen);
        pulls(status.pulls(), screen);
        events(latest(status.events()), screen);
    }

    private static void plans(List<PlanStatus> plans, Screen screen) {
        Table table = new Table("PLAN", "IMAGE?", ">LAYERS", "RECEIVED", "=COMPLETE", ">MISSING");
        plans.forEach(plan -> table.row(
                digest(plan.plan()),
                digest(plan.image()),
                Integer.toString(plan.layers()),
                time(plan.received()),
                plan.complete() ? "yes" : "no",
                plan.missing() == null ? "-" : plan.missing().toString()));
        show(table, screen);
    }

    private static void pulls(PullStatus pulls, Screen screen) {
        Table table = new Table(
                "PULL OF", "=SET", "STARTED", "=STATE", ">OBJECTS", ">MISSING", ">RECEIVED", ">TOOK", ">ASKED?");
        pulls.running()
                .forEach(pull -> table.row(
                        digest(pull.plan()),
                        word(pull.set()),
                        "-",
                        "running",
                        pull.done() + "/" + pull.total(),
                        "-",
                        Output.bytes(pull.bytes()),
                        "-",
                        "-"));
        List<PullStatus.Finished> finished = latest(pulls.finished());
        finished.forEach(pull -> table.row(
                digest(pull.plan()),
                word(pull.set()),
                time(pull.started()),
                pull.missing() == 0 ? "done" : "part",
                Integer.toString(pull.objects()),
                Integer.toString(pull.missing()),
                Output.bytes(pull.bytes()),
                pull.millis() + " ms",
                Integer.toString(pull.requests())));
        show(table, screen);
        for (PullStatus.Finished pull : finished) {
            List<String> failures = pull.failures();
            if (failures != null) {
                screen.out().println("  " + Printable.line(digest(pull.plan()) + ": " + String.join("; ", failures)));
            }
        }
    }

    private static void events(List<NodeStatus.Event> events, Screen screen) {
        if (!events.isEmpty()) {
            screen.out().println();
            screen.out().println(screen.heading("EVENTS"));
        }
        for (NodeStatus.Event event : events) {
            screen.out()
                    .println(Printable.line(time(event.at()) + "  " + "%-7s ".formatted(word(event.severity())) + " "
                            + word(event.topic()) + ": " + word(event.text())));
        }
    }

    private static void show(Table table, Screen screen) {
        if (table.size() > 0) {
            screen.out().println();
            table.print(screen);
        }
    }

    private static <T> List<T> latest(List<T> items) {
        return items.subList(Math.max(0, items.size() - ROWS), items.size());
    }

    private static String digest(@Nullable String digest) {
        return word(digest).substring(0, Math.min(word(digest).length(), DIGEST));
    }

    private static String word(@Nullable String word) {
        return word == null ? "-" : word;
    }

    private static String time(@Nullable Instant time) {
        return time == null ? "-" : LOCAL.format(time);
    }
}
