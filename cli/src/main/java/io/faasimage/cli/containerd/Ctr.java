package io.faasimage.cli.containerd;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * containerd's own client, {@code ctr}.
 *
 * @param socket containerd's
 * @param namespace of images and containers
 */
public record Ctr(Path socket, String namespace) {
    private static final int LIMIT_SECONDS = 120;

    /**
     * Runs one of its commands.
     *
     * @return its output, without white space around
     * @throws IOException when it fails or does not end in two minutes, with its output
     */
    public String run(String... arguments) throws IOException {
        List<String> command = command(arguments);
        Path printed = Files.createTempFile("faasimage-ctr", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " did not end within " + LIMIT_SECONDS + " s");
            }
            // The output may contain the container's own: any bytes.
            String text = Files.readString(printed, StandardCharsets.ISO_8859_1).strip();
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + text);
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted: " + String.join(" ", command));
        } finally {
            Files.delete(printed);
        }
    }

    /** Starts one of its commands; standard error goes to standard output. */
    public Process start(String... arguments) throws IOException {
        Process process =
                new ProcessBuilder(command(arguments)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return process;
    }

    /** Removes a container, or the remains of one whose start failed. */
    public void remove(String container) {
        for (List<String> command : List.of(
                List.of("tasks", "kill", "-s", "KILL", container),
                List.of("tasks", "rm", "-f", container),
                List.of("containers", "rm", container))) {
            try {
                run(command.toArray(String[]::new));
            } catch (IOException e) {
                // It is not there, or has ended by itself.
            }
        }
    }

    /** Removes the containers that killed processes left, which were named {@code prefix}, process ID, dash, number. */
    public void removeLeft(String prefix) throws IOException {
        Pattern left = Pattern.compile(Pattern.quote(prefix) + "([0-9]{1,10})-[0-9]+");
        run("containers", "ls", "-q").lines().forEach(container -> {
            Matcher matcher = left.matcher(container);
            if (matcher.matches()
                    && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                remove(container);
            }
        });
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ctr", "-a", socket.toString(), "-n", namespace));
        command.addAll(Arrays.asList(arguments));
        return command;
    }
}
