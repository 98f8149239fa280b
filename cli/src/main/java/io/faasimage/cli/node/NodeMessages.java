package io.faasimage.cli.node;

import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.api.rest.Json;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Progress;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Messages of the node agent for people: its progress, and the fields of its answers. */
public final class NodeMessages {
    private static final int COLUMN = 19;

    private NodeMessages() {}

    public static void show(Progress display, TaskProgress progress) {
        display.show(
                Objects.requireNonNullElse(progress.phase(), "working"),
                Objects.requireNonNullElse(progress.done(), 0L),
                Objects.requireNonNullElse(progress.total(), 0L));
    }

    /** Shows the progress of an event that is no more than its fields. */
    public static void show(Progress display, JsonFields progress) {
        display.show(progress.text("phase").orElse("working"), progress.number("done", 0), progress.number("total", 0));
    }

    /**
     * Prints a message as indented {@code name value} lines, in words and units for people; null fields are left out.
     */
    public static void describe(Object message, String indent, PrintWriter out) {
        describe(message, indent, out, Set.of());
    }

    /** As {@link #describe(Object, String, PrintWriter)}, without the fields named {@code hidden}. */
    static void describe(Object message, String indent, PrintWriter out, Set<String> hidden) {
        Map<?, ?> fields =
                message instanceof Map<?, ?> map ? map : Json.mapper().convertValue(message, Map.class);
        show(fields, indent, out, hidden);
    }

    private static void show(Map<?, ?> fields, String indent, PrintWriter out, Set<String> hidden) {
        fields.forEach((key, value) -> {
            String name = key.toString();
            if (value == null || hidden.contains(name)) {
                return;
            }
            if (value instanceof Map<?, ?> object && !object.isEmpty()) {
                out.println(indent + label(name));
                show(object, indent + "  ", out, Set.of());
            } else if (value instanceof List<?> list && !list.isEmpty()) {
                out.println(indent + label(name));
                list.forEach(item -> out.println(indent + "  " + line(item)));
            } else {
                String label = label(name);
                out.println(indent + label + " ".repeat(Math.max(1, COLUMN - label.length())) + shown(name, value));
            }
        });
    }

    /** {@code layerBytes} as "layer bytes", {@code totalMillis} as "total": the unit is with the value. */
    private static String label(String name) {
        StringBuilder words = new StringBuilder();
        for (char c : (name.endsWith("Millis") ? name.substring(0, name.length() - 6) : name).toCharArray()) {
            words.append(Character.isUpperCase(c) ? " " : "").append(Character.toLowerCase(c));
        }
        return Printable.line(words.toString());
    }

    private static String shown(String name, Object value) {
        boolean whole = value instanceof Integer || value instanceof Long;
        if (whole && name.endsWith("Millis")) {
            return value + " ms";
        }
        if (whole && name.toLowerCase(Locale.ROOT).contains("bytes")) {
            return Output.bytes(((Number) value).longValue());
        }
        return line(value);
    }

    private static String line(Object value) {
        if (!(value instanceof Map<?, ?> object)) {
            return Printable.line(String.valueOf(value));
        }
        StringBuilder line = new StringBuilder();
        object.forEach((name, field) ->
                line.append(name).append('=').append(line(field)).append("  "));
        return line.toString().strip();
    }
}
