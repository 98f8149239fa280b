package io.faasimage.node.gate;

import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.linux.ProcessExit;
import io.faasimage.node.link.event.Events;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes of gates: started until they answer, awaited, and killed. For the supervisor's thread. */
final class GateProcesses {
    private static final Duration POLL = Duration.ofMillis(10);

    private final GateConfig config;
    private final GateControl control;
    private final GateState state;
    private final Events events;

    GateProcesses(GateConfig config, GateControl control, GateState state, Events events) {
        this.config = config;
        this.control = control;
        this.state = state;
        this.events = events;
    }

    /**
     * A gate that was started and answers.
     *
     * @param process that was started: the gate, or a script that started it
     * @param status of the gate
     */
    record Started(Process process, GateStatus status) {}

    /**
     * Starts a gate, and waits until it answers.
     *
     * @param options besides those that are configured
     */
    Started start(List<String> options) throws IOException, InterruptedException {
        Process process = spawn(options);
        return new Started(process, awaitAnswer(process));
    }

    private Process spawn(List<String> options) throws IOException {
        List<String> command = new ArrayList<>(config.command());
        command.addAll(options);
        state.starting();
        try {
            return new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "could not run '" + config.command().getFirst() + "'; check --gate-command: " + e.getMessage(), e);
        }
    }

    private GateStatus awaitAnswer(Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + config.startLimit().toNanos();
        while (System.nanoTime() < end) {
            if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("the gate ended with code " + process.exitValue()
                        + " at its start; see its output for the reason");
            }
            Optional<GateStatus> answer = Files.exists(config.control())
                    ? control.status(config.statusLimit()).filter(status -> isOf(process, status))
                    : Optional.empty();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        process.destroyForcibly();
        throw new IOException(
                "the gate did not answer within " + config.startLimit().toMillis() + " ms");
    }

    /** Whether {@code process}, or a descendant of it, gave the answer; an older gate may still be there. */
    private static boolean isOf(Process process, GateStatus answer) {
        long pid = answer.pid();
        return process.pid() == pid || process.descendants().anyMatch(child -> child.pid() == pid);
    }

    /** Kills a gate that hangs. SIGKILL ends a stopped process too, and all that waits for it. */
    void kill(ProcessHandle gate, String reason) throws IOException, InterruptedException {
        state.unready("process " + gate.pid() + " hangs: " + reason);
        events.error(GateSupervisor.TOPIC, "killing the gate, process " + gate.pid() + ", which hangs: " + reason);
        end(gate);
    }

    /** Kills a gate. */
    void end(ProcessHandle gate) throws IOException, InterruptedException {
        gate.destroyForcibly();
        if (!ended(ProcessExit.of(gate), config.startLimit())) {
            throw new IOException("process " + gate.pid() + " does not end when it is killed");
        }
    }

    /** Whether a process ends within {@code limit}. */
    boolean ended(CompletableFuture<ProcessHandle> exit, Duration limit) throws InterruptedException {
        try {
            exit.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            events.info(GateSupervisor.TOPIC, "lost sight of the gate: " + e.getCause());
            return true;
        }
    }
}
