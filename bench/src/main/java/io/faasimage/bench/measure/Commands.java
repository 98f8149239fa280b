package io.faasimage.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A runner of commands of bounded duration, one at a time, on the caller's thread. */
public final class Commands {
    private static final int SHOWN_OUTPUT = 4000;

    private final Duration limit;

    /** Commands that each end within {@code limit}. */
    public Commands(Duration limit) {
        this.limit = limit;
    }

    /** {@code command} with every {@code {name}} replaced. */
    public static List<String> fill(List<String> command, Map<String, String> values) {
        return command.stream().map(word -> fill(word, values)).toList();
    }

    private static String fill(String word, Map<String, String> values) {
        String filled = word;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("{" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }

    /**
     * Runs {@code command} to its end; an empty command does nothing.
     *
     * @return its standard output
     * @throws IOException when it fails, with the end of its output, or takes too long
     */
    public String run(List<String> command) throws IOException, InterruptedException {
        if (command.isEmpty()) {
            return "";
        }
        Path out = Files.createTempFile("bench", ".out");
        Path err = Files.createTempFile("bench", ".err");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                throw new IOException("'%s' did not end within %d s: %s"
                        .formatted(String.join(" ", command), limit.toSeconds(), end(err)));
            }
            if (process.exitValue() != 0) {
                throw new IOException("'%s' failed with status %d: %s"
                        .formatted(String.join(" ", command), process.exitValue(), end(err) + end(out)));
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String end(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
        return text.length() <= SHOWN_OUTPUT ? text : "..." + text.substring(text.length() - SHOWN_OUTPUT);
    }
}
