package io.faasimage.cli.node;

import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.api.rest.Json;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Messages of the node agent for people: its progress, and the fields of its answers. */
public final class NodeMessages {
    private NodeMessages() {}

    public static void show(Progress display, TaskProgress progress) {
        display.show(
                Objects.requireNonNullElse(progress.phase(), "working"),
                Objects.requireNonNullElse(progress.done(), 0L),
                Objects.requireNonNullElse(progress.total(), 0L));
    }

    /**
     * Prints a message as indented {@code name value} lines, in words and units for people; what is null is left out.
     */
    public static void describe(Object message, String indent, PrintWriter out) {
        describe(message, indent, out, Set.of());
    }

    /** As {@link #describe(Object, String, PrintWriter)}, without the fields named {@code hidden}. */
    static void describe(Object message, String indent, PrintWriter out, Set<String> hidden) {
        JsonNode fields = Json.mapper().valueToTree(message);
        show(fields, indent, out, hidden);
    }

    private static void show(JsonNode node, String indent, PrintWriter out, Set<String> hidden) {
        for (var field : node.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull() || hidden.contains(field.getKey())) {
                continue;
            }
            if (value.isContainer() && !value.isEmpty()) {
                out.println(indent + label(field.getKey()));
                if (value.isArray()) {
                    value.forEach(item -> out.println(indent + "  " + line(item)));
                } else {
                    show(value, indent + "  ", out, Set.of());
                }
            } else {
                out.println(indent + "%-18s ".formatted(label(field.getKey())) + shown(field.getKey(), value));
            }
        }
    }

    /** {@code layerBytes} as "layer bytes", {@code totalMillis} as "total": the unit is with the value. */
    private static String label(String name) {
        return Printable.line(name.replaceFirst("Millis$", "")
                .replaceAll("([a-z])([A-Z])", "$1 $2")
                .toLowerCase(Locale.ROOT));
    }

    private static String shown(String name, JsonNode value) {
        if (value.isIntegralNumber() && name.endsWith("Millis")) {
            return value.asLong() + " ms";
        }
        if (value.isIntegralNumber() && name.toLowerCase(Locale.ROOT).contains("bytes")) {
            return Output.bytes(value.asLong());
        }
        return line(value);
    }

    private static String line(JsonNode value) {
        if (value.isString()) {
            return Printable.line(value.asString());
        }
        if (!value.isObject()) {
            return Printable.line(value.toString());
        }
        StringBuilder line = new StringBuilder();
        value.properties()
                .forEach(field -> line.append(field.getKey())
                        .append('=')
                        .append(line(field.getValue()))
                        .append("  "));
        return line.toString().strip();
    }
}
