package io.faasimage.testing;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A process that a test starts, with its output in a file. */
public final class Daemon implements Closeable {
    private final String name;
    private final Path log;
    private final Process process;

    private Daemon(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts {@code command}; its output is appended to {@code log}. */
    public static Daemon start(String name, Path log, Map<String, String> environment, List<String> command)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new Daemon(name, log, builder.start());
    }

    /** The id of the process. */
    public long pid() {
        return process.pid();
    }

    /** Its output so far. */
    public String log() throws IOException {
        return Files.readString(log);
    }

    /**
     * Waits until it serves. Fails with the end of the log when the process ends; when the time is over, ends the
     * process, which the caller does not have yet.
     */
    public Daemon await(Duration limit, Callable<Boolean> isServing) throws IOException, InterruptedException {
        boolean isReady = false;
        try {
            Wait.until(limit, name + " to be ready; its log:\n" + log, () -> {
                if (!process.isAlive()) {
                    throw new AssertionError(name + " ended with " + process.exitValue() + ":\n" + tail());
                }
                return isServing.call();
            });
            isReady = true;
            return this;
        } finally {
            if (!isReady) {
                close();
            }
        }
    }

    private String tail() {
        try {
            String text = log();
            return text.substring(Math.max(0, text.length() - 4000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Its exit code, when it has ended by itself. */
    public int awaitExit(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException(name + " still runs: " + tail());
        }
        return process.exitValue();
    }

    /** As {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** As {@code kill} does, then {@code kill -9} after ten seconds. */
    @Override
    public void close() throws IOException {
        end(Duration.ofSeconds(10));
    }

    /** As {@code kill} does, then {@code kill -9} after {@code limit}. */
    public void end(Duration limit) throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
