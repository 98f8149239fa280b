package io.faasimage.api.log;

import io.faasimage.api.rest.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One JSON object a line for each record, with the names that Logstash's format has. */
public final class JsonLogFormat extends Formatter {
    /** System property: {@code json}, or anything else for text. */
    private static final String FORMAT = "faasimage.log.format";

    /** Makes the process log JSON when its system property is {@code json}; called first in {@code main}. */
    public static void installIfWanted() {
        if ("json".equals(System.getProperty(FORMAT))) {
            for (Handler handler : Logger.getLogger("").getHandlers()) {
                handler.setFormatter(new JsonLogFormat());
            }
        }
    }

    @Override
    public String format(LogRecord entry) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("@timestamp", entry.getInstant().truncatedTo(ChronoUnit.MILLIS).toString());
        line.put("@version", "1");
        line.put("message", formatMessage(entry));
        line.put("logger_name", String.valueOf(entry.getLoggerName()));
        line.put("level", level(entry.getLevel()));
        @Nullable Throwable thrown = entry.getThrown();
        if (thrown != null) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            line.put("stack_trace", trace.toString());
        }
        return Json.mapper().writeValueAsString(line) + "\n";
    }

    private static String level(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (level.intValue() >= Level.WARNING.intValue()) {
            return "WARN";
        }
        return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
    }
}
