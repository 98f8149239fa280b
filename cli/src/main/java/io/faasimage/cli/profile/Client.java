package io.faasimage.cli.profile;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * containerd's own client, {@code ctr}, which starts the containers that are profiled.
 *
 * @param socket containerd's
 * @param namespace of images and containers
 */
record Client(Path socket, String namespace) {
    private static final int LIMIT_SECONDS = 120;

    /**
     * Runs one of its commands.
     *
     * @return what it printed, without white space around
     * @throws IOException when it fails or does not end in two minutes, with what it printed
     */
    String run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ctr", "-a", socket.toString(), "-n", namespace));
        command.addAll(Arrays.asList(arguments));
        Path printed = Files.createTempFile("faasimage-profile", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " did not end within " + LIMIT_SECONDS + " s");
            }
            // What the container itself has printed may be in it: any bytes.
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
}
