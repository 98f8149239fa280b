package io.faasimage.docker.daemon;

import io.faasimage.docker.call.Call;
import io.faasimage.docker.command.Command;
import io.faasimage.docker.container.Engine;
import io.faasimage.docker.log.LogEntry;
import io.faasimage.docker.log.LogReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Prints a log: what came from standard output to standard output, and the other to standard error. For one thread. */
final class LogPrinter {
    private final Call call;
    private final Command.Logs command;
    private final Map<String, Boolean> within = new HashMap<>();

    LogPrinter(Call call, Command.Logs command) {
        this.call = call;
        this.command = command;
    }

    void print(Engine engine) throws IOException {
        String id = engine.find(command.container()).id();
        LogReader.read(engine.log(id), command.since(), command.until(), this::print);
    }

    private void print(LogEntry entry) throws IOException {
        // The rest of a long line has no time of its own.
        boolean rest = within.getOrDefault(entry.stream(), false);
        within.put(entry.stream(), !entry.text().endsWith("\n"));
        String text = command.timestamps() && !rest ? entry.timestamp() + " " + entry.text() : entry.text();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (entry.stream().equals("stderr")) {
            call.err(bytes, bytes.length);
        } else {
            call.out(bytes, bytes.length);
        }
    }
}
