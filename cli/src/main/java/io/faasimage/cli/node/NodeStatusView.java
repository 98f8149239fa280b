package io.faasimage.cli.node;

import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

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
    static void print(JsonNode status, Screen screen) {
        NodeEvents.describe(status, "", screen.out(), TABLES);
        plans(status.path("plans"), screen);
        pulls(status.path("pulls"), screen);
        events(status.path("events"), screen);
    }

    private static void plans(JsonNode plans, Screen screen) {
        Table table = new Table("PLAN", "IMAGE?", ">LAYERS", "RECEIVED", "=COMPLETE", ">MISSING");
        plans.forEach(plan -> table.row(
                digest(plan, "plan"),
                digest(plan, "image"),
                plan.path("layers").asString("-"),
                time(plan.path("received")),
                plan.path("complete").asBoolean(false) ? "yes" : "no",
                plan.path("missing").asString("-")));
        show(table, screen);
    }

    private static void pulls(JsonNode pulls, Screen screen) {
        Table table = new Table(
                "PULL OF", "=SET", "STARTED", "=STATE", ">OBJECTS", ">MISSING", ">RECEIVED", ">TOOK", ">ASKED?");
        List<String> failures = new ArrayList<>();
        pulls.path("running")
                .forEach(pull -> table.row(
                        digest(pull, "plan"),
                        pull.path("set").asString("-"),
                        "-",
                        "running",
                        pull.path("done").asLong() + "/" + pull.path("total").asLong(),
                        "-",
                        Output.bytes(pull.path("bytes").asLong()),
                        "-",
                        "-"));
        latest(pulls.path("finished")).forEach(pull -> {
            table.row(
                    digest(pull, "plan"),
                    pull.path("set").asString("-"),
                    time(pull.path("started")),
                    pull.path("missing").asLong() == 0 ? "done" : "part",
                    pull.path("objects").asString("-"),
                    pull.path("missing").asString("-"),
                    Output.bytes(pull.path("bytes").asLong()),
                    pull.path("millis").asLong() + " ms",
                    pull.path("requests").asString("-"));
            if (pull.has("failures")) {
                failures.add(digest(pull, "plan") + ": " + pull.path("failures"));
            }
        });
        show(table, screen);
        failures.forEach(failure -> screen.out().println("  " + Printable.line(failure)));
    }

    private static void events(JsonNode events, Screen screen) {
        List<JsonNode> latest = latest(events);
        if (!latest.isEmpty()) {
            screen.out().println();
            screen.out().println(screen.heading("EVENTS"));
        }
        for (JsonNode event : latest) {
            screen.out()
                    .println(Printable.line(time(event.path("at")) + "  "
                            + "%-7s ".formatted(event.path("severity").asString("")) + " "
                            + event.path("topic").asString("") + ": "
                            + event.path("text").asString("")));
        }
    }

    private static void show(Table table, Screen screen) {
        if (table.size() > 0) {
            screen.out().println();
            table.print(screen);
        }
    }

    private static List<JsonNode> latest(JsonNode items) {
        List<JsonNode> all = new ArrayList<>(items.values());
        return all.subList(Math.max(0, all.size() - ROWS), all.size());
    }

    private static String digest(JsonNode item, String name) {
        String digest = item.path(name).asString("-");
        return digest.substring(0, Math.min(digest.length(), DIGEST));
    }

    private static String time(JsonNode instant) {
        try {
            return LOCAL.format(Instant.parse(instant.asString("")));
        } catch (DateTimeParseException e) {
            return "-";
        }
    }
}
