package io.faasimage.node.gate;

import io.faasimage.linux.ProcessExit;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The watch over a gate that answered: it is probed again and again. For the supervisor's thread. */
final class GateWatch {
    private final GateConfig config;
    private final GateProcesses processes;
    private final GateState state;
    private final Events events;
    private final GateProbe probe;

    GateWatch(GateConfig config, GateProcesses processes, GateState state, Events events) {
        this.config = config;
        this.processes = processes;
        this.state = state;
        this.events = events;
        this.probe = new GateProbe(config);
    }

    /** Returns when the gate has ended, was killed because it hangs, or has to be looked at again. */
    void run(ProcessHandle gate) throws IOException, InterruptedException {
        CompletableFuture<ProcessHandle> exit = ProcessExit.of(gate);
        int failures = 0;
        while (failures < config.probeFailures()) {
            if (processes.ended(exit, failures == 0 ? config.probePause() : Duration.ZERO)) {
                state.failed("process " + gate.pid() + " ended");
                return;
            }
            GateProbe.Result result = probe.check();
            if (exit.isDone()) {
                continue;
            }
            failures = count(failures, result, gate);
            switch (result) {
                case GateProbe.Result.Answers() -> {}
                case GateProbe.Result.Hangs(String reason) -> {
                    if (failures >= config.probeFailures()) {
                        processes.kill(gate, reason);
                    }
                }
                case GateProbe.Result.Fails(String _) -> {
                    if (failures < config.probeFailures()) {
                        processes.ended(exit, config.probePause());
                    }
                }
            }
        }
    }

    /** Failures in a row, with this result. */
    private int count(int failures, GateProbe.Result result, ProcessHandle gate) {
        return switch (result) {
            case GateProbe.Result.Answers() -> {
                if (failures > 0) {
                    events.info(GateSupervisor.TOPIC, "the gate answers again, process " + gate.pid());
                    state.ready();
                }
                yield 0;
            }
            case GateProbe.Result.Hangs(String reason) -> {
                state.unready("process " + gate.pid() + " does not answer: " + reason);
                yield failures + 1;
            }
            case GateProbe.Result.Fails(String reason) -> {
                state.unready("process " + gate.pid() + " does not answer properly: " + reason);
                yield failures + 1;
            }
        };
    }
}
