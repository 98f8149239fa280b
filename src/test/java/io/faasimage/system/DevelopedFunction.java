package io.faasimage.system;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;

/** A running {@code faasimage dev} on a cluster, whose function listens at a port of its own. */
record DevelopedFunction(Daemon daemon, int port) implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Path PROGRAM =
            Path.of("../../docker/bin/faasimage").toAbsolutePath().normalize();

    static DevelopedFunction start(BuiltFunctions functions, Path log, Path directory, String language)
            throws IOException {
        int port = Ports.free();
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(List.of(functions.arguments("dev", directory, language)));
        command.addAll(List.of("--port", Integer.toString(port), "--json"));
        return new DevelopedFunction(Daemon.start("faasimage dev", log, functions.environment(), command), port);
    }

    /** Waits until the function answers with the JSON text {@code answer}. */
    void awaitAnswer(String answer) throws IOException, InterruptedException {
        Wait.until(
                LIMIT,
                "the answer " + answer,
                () -> Shell.run("curl", "-s", "http://127.0.0.1:" + port).out().contains(answer));
    }

    /** Waits for the account of a cycle, counted from 1. */
    JsonNode awaitCycle(int number) throws IOException, InterruptedException {
        Wait.until(LIMIT, "cycle " + number, () -> cycles().size() >= number);
        return cycles().get(number - 1);
    }

    private List<JsonNode> cycles() throws IOException {
        String log = daemon.log();
        // An unfinished account does not end with a brace at the beginning of a line.
        String whole = log.substring(0, log.lastIndexOf("\n}") < 0 ? 0 : log.lastIndexOf("\n}") + 2);
        try (MappingIterator<JsonNode> documents =
                Json.mapper().readerFor(JsonNode.class).readValues(whole)) {
            return documents.readAll();
        }
    }

    @Override
    public void close() throws IOException {
        daemon.close();
    }
}
