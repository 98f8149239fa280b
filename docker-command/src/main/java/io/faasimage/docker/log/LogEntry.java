package io.faasimage.docker.log;

import io.faasimage.api.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A line of a json-file log, in Docker's format: {@code
 * {"log":"text\n","stream":"stdout","time":"2026-01-31T12:00:00.000000001Z"}}.
 *
 * @param text what was printed, with its line end when it has one
 * @param stream {@code stdout} or {@code stderr}
 * @param time when it came
 */
public record LogEntry(String text, String stream, Instant time) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

    /** The time as Docker prints it. */
    public String timestamp() {
        return TIME.format(time);
    }

    /** The line, without its end. */
    String json() {
        ObjectNode node = Json.mapper().createObjectNode();
        node.put("log", text);
        node.put("stream", stream);
        node.put("time", timestamp());
        return Json.mapper().writeValueAsString(node);
    }

    /** The entry of a line; empty when it is none, as the last one of a machine that lost its power. */
    static Optional<LogEntry> parse(String line) {
        try {
            JsonNode node = Json.mapper().readTree(line);
            return Optional.of(new LogEntry(
                    node.path("log").asString(""),
                    node.path("stream").asString("stdout"),
                    Instant.parse(node.path("time").asString(""))));
        } catch (JacksonException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
