package io.faasimage.cli.node;

import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Progress events of the node agent: {@code {"phase":..., "done":n, "total":n}}. */
public final class NodeEvents {
    private NodeEvents() {}

    public static void show(Progress progress, JsonNode event) {
        progress.show(
                event.path("phase").asString("working"),
                event.path("done").asLong(0),
                event.path("total").asLong(0));
    }

    /**
     * Prints a JSON object as indented {@code name value} lines, in words and units for people; what is null is left
     * out.
     */
    public static void describe(JsonNode node, String indent, PrintWriter out) {
        describe(node, indent, out, Set.of());
    }

    /** As {@link #describe(JsonNode, String, PrintWriter)}, without the fields named {@code hidden}. */
    public static void describe(JsonNode node, String indent, PrintWriter out, Set<String> hidden) {
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
                    describe(value, indent + "  ", out);
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
