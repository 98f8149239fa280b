package io.faasimage.node.agent.metrics;

import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.node.gate.GateSupervisor;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The metrics of the gate, and of both processes: the gate has no port of its own. */
public final class GateMetrics extends Meters {
    private final GateSupervisor gate;
    private volatile Optional<GateStatus> gateAnswer = Optional.empty();

    /** Measures {@code gate}. */
    public GateMetrics(GateSupervisor gate) {
        this.gate = gate;
        gauge("gate_up", "1 when the gate answers", () -> gateAnswer.isPresent() ? 1 : 0);
        count(
                "gate_starts",
                "gates started by this agent",
                () -> gate.supervision().starts());
        count("gate_requests", "look-ups of missing objects at the gate", () -> gateNumber(GateStatus::requests));
        count(
                "gate_fetched",
                "objects that the gate fetched by itself",
                () -> gateNumber(status -> status.fetches().fetched()));
        count(
                "gate_failed",
                "objects that the gate could not get, tries included",
                () -> gateNumber(status -> status.fetches().failed()));
        gauge(
                "gate_waiting",
                "look-ups that wait at the gate now",
                () -> gateNumber(status -> status.fetches().waiting()));
        gauges("resident_memory_bytes", "memory in use, by process", this::memory, "process");
        counts("cpu_seconds", "processor time, by process", this::cpu, "process");
    }

    @Override
    void refresh() {
        gateAnswer = gate.status();
    }

    private long gateNumber(ToLongFunction<GateStatus> number) {
        return gateAnswer.map(number::applyAsLong).orElse(0L);
    }

    private void memory(Sink sink) {
        ProcessFiles.residentBytes(ProcessHandle.current().pid()).ifPresent(b -> sink.take(b, "agent"));
        gatePid().ifPresent(pid -> ProcessFiles.residentBytes(pid).ifPresent(b -> sink.take(b, "gate")));
    }

    private void cpu(Sink sink) {
        cpu(sink, Optional.of(ProcessHandle.current()), "agent");
        cpu(sink, gatePid().flatMap(ProcessHandle::of), "gate");
    }

    private static void cpu(Sink sink, Optional<ProcessHandle> process, String name) {
        process.flatMap(p -> p.info().totalCpuDuration()).ifPresent(time -> sink.take(time.toMillis() / 1000.0, name));
    }

    private Optional<Long> gatePid() {
        return gateAnswer.map(GateStatus::pid).filter(pid -> pid > 0);
    }
}
