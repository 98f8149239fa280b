package io.faasimage.node.containerd.snapshot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of the machine to its end. */
final class Command {
    private Command() {}

    /** The output of a program (both streams) and its exit code. */
    record Result(int status, String output) {}

    /** Runs {@code command}; fails when it does not end with 0 within {@code limit}. */
    static String run(Duration limit, List<String> command) throws IOException, InterruptedException {
        Result result = attempt(limit, Map.of(), Path.of("/"), command);
        if (result.status() != 0) {
            throw new IOException(
                    String.join(" ", command) + " ended with " + result.status() + ": " + result.output());
        }
        return result.output();
    }

    /** Runs {@code command} in {@code directory} with more environment, whatever its exit code. */
    static Result attempt(Duration limit, Map<String, String> environment, Path directory, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("command", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                throw new IOException(String.join(" ", command) + " did not end within " + limit + ": " + read(output));
            }
            return new Result(process.exitValue(), read(output));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static String read(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1);
    }
}
