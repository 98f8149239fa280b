package io.faasimage.cli;

import tools.jackson.databind.JsonNode;

/** Progress events of the node agent: {@code {"phase":..., "done":n, "total":n}}. */
final class NodeEvents {
    private NodeEvents() {}

    static void show(Progress progress, JsonNode event) {
        progress.show(
                event.path("phase").asString("working"),
                event.path("done").asLong(0),
                event.path("total").asLong(0));
    }

    /** Prints a JSON object as indented {@code name value} lines. */
    static void describe(JsonNode node, String indent, java.io.PrintWriter out) {
        for (var field : node.properties()) {
            JsonNode value = field.getValue();
            if (value.isContainer() && !value.isEmpty()) {
                out.println(indent + field.getKey());
                if (value.isArray()) {
                    value.forEach(item -> out.println(indent + "  " + line(item)));
                } else {
                    describe(value, indent + "  ", out);
                }
            } else {
                out.println(indent + "%-18s ".formatted(field.getKey()) + line(value));
            }
        }
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
