package io.faasimage.api.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class JsonLogFormatTest {
    @Test
    void everyRecordIsOneLineOfJson() {
        LogRecord entry = new LogRecord(Level.WARNING, "{0}: a \"quoted\"\nmessage");
        entry.setParameters(new Object[] {"gate"});
        entry.setLoggerName("io.faasimage.node.link.event.Events");
        entry.setInstant(Instant.parse("2026-11-21T22:00:00.123456Z"));
        entry.setThrown(new IOException("why"));
        String line = new JsonLogFormat().format(entry);
        assertThat(line).endsWith("}\n").hasLineCount(1);
        JsonNode json = Json.mapper().readTree(line);
        assertThat(json.path("message").asString()).isEqualTo("gate: a \"quoted\"\nmessage");
        assertThat(json.path("level").asString()).isEqualTo("WARN");
        assertThat(json.path("@timestamp").asString()).isEqualTo("2026-11-21T22:00:00.123Z");
        assertThat(json.path("stack_trace").asString()).startsWith("java.io.IOException: why\n");
    }
}
