package io.faasimage.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Commands that run to their end, bounded in time. */
public final class Shell {
    /** Limit of a script that compiles programs beside the tests, on a machine that has nothing of them yet. */
    public static final Duration COMPILING = Duration.ofMinutes(30);

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final long END_SECONDS = 30;

    private Shell() {}

    /**
     * The result of a command.
     *
     * @param exit its exit code
     * @param out standard output
     * @param err standard error
     */
    public record Result(int exit, String out, String err) {
        /** Standard output; fails unless the exit code is 0. */
        public String ok() {
            if (exit != 0) {
                throw new AssertionError("exit code " + exit + "\n" + out + err);
            }
            return out;
        }
    }

    /** Runs {@code command} with more in its environment. */
    public static Result run(Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        return run(LIMIT, environment, command);
    }

    /** Runs {@code command}, which ends within {@code limit}. */
    public static Result run(Duration limit, List<String> command) throws IOException, InterruptedException {
        return run(limit, Map.of(), command);
    }

    private static Result run(Duration limit, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("fi-out", "");
        Path err = Files.createTempFile("fi-err", "");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                // A script ends its own processes.
                process.destroy();
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
                throw new AssertionError(
                        command + " did not end in " + limit.toSeconds() + " s\n" + Files.readString(err));
            }
            return new Result(
                    process.exitValue(),
                    new String(Files.readAllBytes(out), StandardCharsets.UTF_8),
                    new String(Files.readAllBytes(err), StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Runs {@code command}. */
    public static Result run(String... command) throws IOException, InterruptedException {
        return run(Map.of(), List.of(command));
    }
}
