package io.faasimage.gate;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.Operation;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.testing.Wait;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The gate as a process of its own. */
final class RunningGate implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path control;
    private final Path log;

    private RunningGate(Process process, Path control, Path log) {
        this.process = process;
        this.control = control;
        this.log = log;
    }

    /** Starts one below {@code directory} and waits until it serves. */
    static RunningGate start(Path directory, URI registry, String... options) throws IOException {
        RunningGate gate = launch(directory, registry, options);
        Wait.until("the gate's control socket", () -> gate.serves() || !gate.process.isAlive());
        if (!gate.process.isAlive()) {
            throw new IOException("the gate did not start: " + gate.log());
        }
        return gate;
    }

    /** Starts one and does not wait. */
    static RunningGate launch(Path directory, URI registry, String... options) throws IOException {
        Path control = directory.resolve("gate.sock");
        Path log = directory.resolve("gate.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "--store",
                directory.toString(),
                "--mount",
                directory.resolve("gate").toString(),
                "--registry",
                registry.toString(),
                "--control",
                control.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(new File("/dev/null"))
                .start();
        return new RunningGate(process, control, log);
    }

    private boolean serves() {
        try {
            status();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    GateStatus status() throws IOException {
        return call(GateOperations.STATUS);
    }

    <R> R call(Operation<Empty, Empty, R> operation) throws IOException {
        return new ControlClient(control).call(operation);
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path control() {
        return control;
    }

    long pid() {
        return process.pid();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    void terminate() {
        process.destroy();
    }

    int exitCode() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the gate did not end; its log: " + log());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitCode();
    }
}
